/* Functions that tell the time, which stand in the clock page of each program. The warden writes
   `warden_clock_data`. */
#if defined(__linux__) && defined(__x86_64__)
.text
.globl warden_clock, warden_clock_end, warden_clock_gettime, warden_clock_day
.globl warden_clock_seconds, warden_clock_data
.hidden warden_clock, warden_clock_end, warden_clock_gettime, warden_clock_day
.hidden warden_clock_seconds, warden_clock_data
warden_clock:
warden_clock_gettime:               /* (clock, timespec *) */
  cmpl $0, warden_clock_data+40(%rip) /* the program spins: each reading is seen */
  jne 9f
  cmp $11, %edi
  ja 9f
  mov $0x873, %eax                  /* the clocks 0, 1, 4, 5, 6, 11 */
  bt %edi, %eax
  jnc 9f
  lea warden_clock_data(%rip), %rdx
  mov $0x821, %eax                  /* 0, 5, 11 are of the calendar */
  bt %edi, %eax
  jc 1f
  add $24, %rdx
1: mov (%rdx), %rax
  mov %rax, (%rsi)
  mov 8(%rdx), %rax
  mov %rax, 8(%rsi)
  xor %eax, %eax
  ret
9: mov $228, %eax
  syscall
  ret
warden_clock_day:                   /* (timeval *, zone *) */
  cmpl $0, warden_clock_data+40(%rip)
  jne 9f
  test %rdi, %rdi
  jz 2f
  mov warden_clock_data(%rip), %rax
  mov %rax, (%rdi)
  mov warden_clock_data+16(%rip), %rax
  mov %rax, 8(%rdi)
2: xor %eax, %eax
  ret
9: mov $96, %eax
  syscall
  ret
warden_clock_seconds:               /* (time_t *) */
  cmpl $0, warden_clock_data+40(%rip)
  jne 9f
  mov warden_clock_data(%rip), %rax
  test %rdi, %rdi
  jz 3f
  mov %rax, (%rdi)
3: ret
9: mov $201, %eax
  syscall
  ret
.balign 8
warden_clock_data: .quad 0, 0, 0    /* calendar: seconds, nanoseconds, microseconds */
  .quad 0, 0, 0                     /* monotonic: seconds, nanoseconds; 1 if readings are seen */
warden_clock_end:
#endif
#if defined(__linux__)
.section .note.GNU-stack,"",%progbits
#endif
