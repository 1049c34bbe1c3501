/* Capabilities and other structures, to a source and back, as bytes. */
#pragma once
#include "answer.h"

void capability(const platen_request *request, const Call &call);
void triplet(const platen_request *request, const Call &call);
