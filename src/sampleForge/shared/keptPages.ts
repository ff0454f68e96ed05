import type { Answer } from './area.ts';

const MAX_PAGES = 1000;

/** Answers cached for one revision of the store. */
export function createKeptPages() {
	const kept = new Map<string, Answer>();
	let keptRevision = -1;
	return {
		/** The cached answer for `key`, or a new one. */
		keep(revision: number, key: string, make: () => Answer) {
			if (revision !== keptRevision || kept.size > MAX_PAGES) {
				kept.clear();
				keptRevision = revision;
			}
			const answer = kept.get(key) ?? encoded(make());
			kept.set(key, answer);
			return answer;
		},
	};
}

/** As bytes, so that sending it again costs nothing. */
function encoded(answer: Answer): Answer {
	return typeof answer.body === 'string' ? { ...answer, body: Buffer.from(answer.body) } : answer;
}
