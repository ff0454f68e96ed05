import { spelled } from '../../../forge/port/word.ts';
import { senderIn } from '../../../engine/mail/onlySender.ts';
import type { ListVocabulary } from '../../../engine/search/mails/completeListFilter.ts';
import type { SeenList } from './seenList.ts';

/** Values that occur in the list, most frequent first. */
export function listVocabulary({ connection: { lists }, list }: SeenList): ListVocabulary {
	const patchsets = lists.patchsets(list).known()?.items ?? [];
	const posts = lists.posts(list).known()?.items ?? [];
	const senders = [...posts, ...patchsets.flatMap(({ coverLetter }) => coverLetter ?? [])].flatMap(
		({ sender }) => sender?.canonicalName ?? [],
	);
	const submitters = patchsets.flatMap(({ submitter }) =>
		submitter === undefined ? [] : (senderIn(submitter)?.address ?? []),
	);
	return {
		people: byFrequency([...senders, ...submitters]),
		prefixes: byFrequency(patchsets.flatMap(({ prefix }) => (prefix === undefined || prefix === '' ? [] : [prefix]))),
		statuses: byFrequency(patchsets.map(({ status }) => spelled(status))),
	};
}

function byFrequency(words: readonly string[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const word of words) {
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}
	return Array.from(counts)
		.toSorted(([, one], [, other]) => other - one)
		.map(([word]) => word);
}
