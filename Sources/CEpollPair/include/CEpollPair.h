#ifndef CEPOLLPAIR_H
#define CEPOLLPAIR_H

/* The least that can be done for a request and for an echo over loopback, for comparison: one
   thread, one epoll, both ends, no parsing beyond what finds the end of a message. */

/* Seconds for so many GETs on one connection; negative when a socket could not be made. */
double cepollpair_gets(int count);

/* Seconds for so many masked messages of so many bytes that come back unmasked. */
double cepollpair_echoes(int count, int size);

#endif
