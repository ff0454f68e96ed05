import { readFileSync } from 'node:fs';

/** How long a tick of /proc is: 100 in a second on every Linux that there is. */
const tickMs = 10;

/**
 * CPU time of all processes that this one has waited for, with all that those waited for in turn; 0 where the system does
 * not tell. What was killed together with whoever would have waited for it is missing.
 */
export function waitedForCpuMs(): number {
	try {
		return waitedForIn(readFileSync('/proc/self/stat', 'utf8'));
	} catch {
		return 0;
	}
}

/** The same from the text of a `/proc/PID/stat`. */
export function waitedForIn(stat: string): number {
	// The name of the program stands in parentheses and may hold anything; the fields of numbers begin behind it.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [user, system] = [Number(fields[13]), Number(fields[14])];
	return (user + system) * tickMs;
}
