import type { Problem } from '../../forge/forgeError.ts';

const minuteMs = 60_000;

/** How long, in milliseconds, everything rests after a problem that is not one tracker's; `undefined` after others. */
export function restAfter(problem: Problem | undefined, nowMs: number): number | undefined {
	if (problem?.kind === 'rateLimited') {
		return Math.max(minuteMs, (problem.untilMs ?? nowMs + 5 * minuteMs) - nowMs);
	}
	return problem !== undefined && accountProblems.has(problem.kind) ? 15 * minuteMs : undefined;
}

/** Problems that no other tracker would be spared. */
const accountProblems: ReadonlySet<Problem['kind']> = new Set(['tokenRejected', 'notSignedIn', 'missingScope']);
