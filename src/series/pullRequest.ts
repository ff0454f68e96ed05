import type { PullRequestMail } from './seriesReading.ts';

/** Where the parts of a request are looked for; it stands near the head of a mail, below the reasons for it. */
const farthest = 200_000;
const longestPlace = 2048;

const since = /^The following changes since commit ([0-9a-f]{7,64}):?[ \t\r]*$/m;
const place = /^[ ]*are available in the git repository at:[ \t\r]*\n(?:[ \t\r]*\n){0,3}[ \t]*(\S[^\n]*)$/im;
const upTo = /^for you to fetch changes up to ([0-9a-f]{7,64}):?[ \t\r]*$/m;

/** Reads a mail that `git request-pull` wrote; quoted ones count for nothing. `undefined` for every other text. */
export function pullRequestOf(text: string): PullRequestMail | undefined {
	const head = text.slice(0, farthest);
	const found = place.exec(head);
	const [repository = '', reference] = (found?.[1] ?? '').slice(0, longestPlace).trim().split(/\s+/);
	const from = since.exec(head);
	if (found === null || repository === '' || from === null || from.index > found.index) {
		return undefined;
	}
	return {
		repository: repository.replace(/^<(.*)>$/, '$1'),
		reference,
		since: from[1],
		upTo: upTo.exec(head)?.[1],
	};
}
