/* Transfers of images from a source: whole, as a DIB, or strip by strip. */
#pragma once
#include "answer.h"

void native(const platen_request *request, const Call &call);
void strips(const platen_request *request, const Call &call);
