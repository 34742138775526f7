"""A client with an alarm at a time of the calendar, and one clock that counts sleep."""
import ctypes, time

wanted = time.time() + 3600
since = time.clock_gettime(time.CLOCK_BOOTTIME)
print("set", flush=True)
at = (ctypes.c_long * 2)(int(wanted), 0)
ctypes.CDLL(None).clock_nanosleep(time.CLOCK_REALTIME, 1, at, None)
passed = time.clock_gettime(time.CLOCK_BOOTTIME) - since
print(f"rings {round(time.time() - wanted)} s late, {round(passed)} s since", flush=True)
