import type { Answer } from './area.ts';

/** Answers cached for one revision of the store. */
export interface KeptPages {
	/** The cached answer for `key`, or a new one. */
	keep(revision: number, key: string, make: () => Answer): Answer;
}

const MAX_PAGES = 1000;

export function createKeptPages(): KeptPages {
	const kept = new Map<string, Answer>();
	let keptRevision = -1;
	return {
		keep(revision, key, make) {
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
