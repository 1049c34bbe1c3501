/* Windows' service manager. */
#pragma once

#include "layout.h"

extern const wchar_t *const SERVICE_NAME;

/* What the table of an MSI cannot say of a service: restarts, privileges, time to stop. */
void configureService();

/* Creates the service, or changes it, and starts it. */
void installService(const Layout &layout);
/* Waits until it has stopped. */
void stopService();
/* @returns whether there was one */
bool removeService();
enum class ServiceState { running, stopped, absent };
ServiceState serviceState();
