/* Sends capabilities and other structures to a source as bytes, and returns its answers. */
#pragma once
#include "answer.h"

void capability(const platen_request *request, const Call &call);
void triplet(const platen_request *request, const Call &call);
