/** The door for the server: everything that composes plugins into a service. */
