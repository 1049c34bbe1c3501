/*
 * The paper in a simulated scanner, drawn row by row. A sheet's file:
 *
 *   size 215.9 279.4     millimetres; the area outside is white
 *   front 10 10 40       filled with this ink, with a white mark in the upper left corner
 *   back 90 20 20        if missing, the side is blank
 *   mark 40 50 20 10     millimetres: a black rectangle, from the left, from the top, width, height
 *
 * An empty file is a plain sheet, with one value everywhere. The flatbed may have a document.
 */
#ifndef PLATEN_SIMULATION_SHEET_H
#define PLATEN_SIMULATION_SHEET_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct colour {
  int channels[3];
};

struct sheet {
  enum { PLAIN, DRAWN, DOCUMENT } kind;
  double width, height;
  struct colour sides[2];
  double mark[4];
};

/* How a row is scanned: samples, bits per sample, pixels, and millimetres between pixels and to the first one. Then what is done to each sample: levels
 * from -127 to 127, and what is black in a 1-bit row. */
struct look {
  int samples, depth, pixels;
  double pitch, left;
  int brightness, contrast;
  double threshold;
};

static const struct colour white = {{255, 255, 255}};
static const struct colour black = {{0, 0, 0}};
static const struct sheet document = {.kind = DOCUMENT, .width = 210, .height = 297};

static struct sheet sheet_in(const char *path) {
  struct sheet sheet = {.kind = PLAIN, .width = 210, .height = 297, .sides = {white, white}};
  char word[16];
  FILE *from = fopen(path, "r");
  while (from != NULL && fscanf(from, "%15s", word) == 1) {
    double *mark = sheet.mark;
    if (strcmp(word, "mark") == 0 && fscanf(from, "%lf %lf %lf %lf", &mark[0], &mark[1], &mark[2], &mark[3]) == 4) continue;
    int *ink = sheet.sides[strcmp(word, "back") == 0].channels;
    bool read = strcmp(word, "size") == 0 ? fscanf(from, "%lf %lf", &sheet.width, &sheet.height) == 2 : fscanf(from, "%d %d %d", &ink[0], &ink[1], &ink[2]) == 3;
    if (read) sheet.kind = DRAWN;
  }
  if (from != NULL) fclose(from);
  return sheet;
}

/* Lines of text between margins, and gradients of all colours below them. */
static struct colour of_document(double x, double y) {
  if (x < 15 || x > 195 || y < 15 || y > 282) return white;
  if (y > 200) return (struct colour){{(int)((x - 15) * 1.4), (int)((y - 200) * 3), 128}};
  int line = (int)(y / 6), word = (int)(x / 3);
  bool inked = (int)(y * 2) % 12 < 3 && (line * 7 + word * 13) % 11 > 2;
  return inked ? (struct colour){{60, 60, 90 + 10 * (line % 3)}} : white;
}

static struct colour colour_at(const struct sheet *sheet, bool back, double x, double y) {
  if (x >= sheet->width || y >= sheet->height) return white;
  if (sheet->kind == DOCUMENT) return of_document(x, y);
  const double *mark = sheet->mark;
  if (x >= mark[0] && x < mark[0] + mark[2] && y >= mark[1] && y < mark[1] + mark[3]) return black;
  return x < sheet->width / 5 && y < sheet->height / 5 ? white : sheet->sides[back];
}

/* Approximately as bright as the colour: light is the square of a sample's value. */
static int grey_of(struct colour of) {
  int *c = of.channels, light = (2126 * c[0] * c[0] + 7152 * c[1] * c[1] + 722 * c[2] * c[2]) / 10000, grey = 0;
  while ((grey + 1) * (grey + 1) <= light) grey++;
  return grey;
}

static unsigned char levelled(int sample, const struct look *look) {
  int level = (sample - 128) * (127 + look->contrast) / 127 + 128 + look->brightness;
  return (unsigned char)(level < 0 ? 0 : level > 255 ? 255 : level);
}

static void draw_row(const struct sheet *sheet, bool back, double y, const struct look *look, unsigned char *row) {
  if (look->depth == 1) memset(row, 0, (size_t)(look->pixels + 7) / 8);
  struct colour before = white;
  int grey = 255;
  for (int at = 0; at < look->pixels; at++) {
    struct colour colour = colour_at(sheet, back, look->left + (at + 0.5) * look->pitch, y);
    if (look->samples == 3) {
      for (int i = 0; i < 3; i++) row[3 * at + i] = levelled(colour.channels[i], look);
      continue;
    }
    if (memcmp(&before, &colour, sizeof colour) != 0) grey = grey_of(before = colour);
    int level = levelled(grey, look);
    if (look->depth == 8) row[at] = (unsigned char)level;
    else if (level < look->threshold) row[at / 8] |= (unsigned char)(0x80 >> at % 8);
  }
}

#endif
