import type { CommitText } from '../../../machine/git/applyState.ts';
import { authorIn } from '../../../engine/mail/personIn.ts';
import type { MailChange } from '../../../engine/series/mailForGit.ts';
import { authorKey } from '../../../engine/series/offeredLines.ts';
import type { SeriesPatch } from '../../../engine/series/seriesReading.ts';

/**
 * Numbers of the patches whose commits have another author or message than the page shows. `added`: trailers per mail. Git may
 * skip patches. Compares only printable ASCII, and for names only letters, digits and `@`: charsets may be guesses, and git
 * drops punctuation around names.
 */
export function otherMessages(
	patches: readonly SeriesPatch[],
	added: readonly MailChange['trailers'][],
	texts: readonly CommitText[],
): readonly number[] {
	const others: number[] = [];
	let at = 0;
	for (const text of texts) {
		const found = patches.findIndex((patch, place) => place >= at && isShown(patch, added[place], text));
		const patch = patches[at];
		if (found === -1 && patch && patch.mail.reading.kind !== 'raw') {
			others.push(patch.index);
		}
		at = Math.max(at, found) + 1;
	}
	return others;
}

function isShown(
	{ patch }: SeriesPatch,
	added: MailChange['trailers'] = [],
	{ name, address, message }: CommitText,
): boolean {
	const chosen = added.find(({ key }) => key === authorKey);
	const author = chosen ? authorIn(chosen.value) : patch.author;
	const body = patch.gitMessage ?? patch.message;
	const there = body.split('\n');
	const trailers = added.filter(({ key }) => key !== authorKey).map(({ key, value }) => `${key}: ${value}`);
	const lines = [patch.subject, body, ...trailers.filter((line) => !there.includes(line))];
	return (
		words(author?.name === '' ? author.address : author?.name) === words(name) &&
		words(author?.address) === words(address) &&
		signs(lines.join('\n')) === signs(message)
	);
}

function words(text = ''): string {
	return text.replaceAll(/[^A-Za-z0-9@]/g, '');
}

function signs(text: string): string {
	return text.replaceAll(/[^!-~]/g, '');
}
