import { authorIn } from '../../../engine/mail/personIn.ts';
import { canProve } from '../../../engine/patch/blobId.ts';
import type { FileDiff } from '../../../engine/patch/fileDiff.ts';
import type { MailChange } from '../../../engine/series/mailForGit.ts';
import { authorKey } from '../../../engine/series/offeredLines.ts';
import type { SeriesPatch } from '../../../engine/series/seriesReading.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { CommitText, CommittedFile } from '../../../machine/git/applyState.ts';
import { appliedDiff } from './appliedAlready.ts';

/*
 * What git made of a series, compared with what is shown.
 */

/**
 * Files whose committed blobs differ from the `index` lines of the patches. Skips files with a different blob before the
 * commit.
 */
export function otherContents(patches: readonly SeriesPatch[], commits: readonly (readonly CommittedFile[])[]) {
	const files = patches.flatMap((patch) => appliedDiff(patch).diff.files);
	const stated = Map.groupBy(files, ({ newPath }) => newPath);
	const others = new Set<string>();
	for (const commit of commits) {
		const before = new Map(commit.map((each) => [each.path, each.before]));
		for (const { path, after } of commit) {
			const same = (stated.get(path) ?? []).filter((file) => canProve(file.newId) && isSameBefore(file, before));
			if (same.length > 0 && !same.some(({ newId }) => newId !== undefined && after.startsWith(newId))) {
				others.add(path);
			}
		}
	}
	return [...others];
}

function isSameBefore({ oldPath, newPath, oldId, change }: FileDiff, before: ReadonlyMap<string, string>): boolean {
	const id = before.get(oldPath ?? newPath ?? '') ?? '';
	return oldPath === undefined ? /^0+$/.test(id) : change !== 'copied' && canProve(oldId) && id.startsWith(oldId);
}

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

function isShown({ patch }: SeriesPatch, added: MailChange['trailers'] = [], { name, address, message }: CommitText) {
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

const longestReason = 200;

/** The first `error:` or `fatal:` of git's output, without prefix and full stop; empty if there is none. */
export function gitReason(complaint: string): string {
	const [, reason = ''] = /^(?:(?:error|fatal): |(?=Patch is empty))(.+)$/m.exec(complaint) ?? [];
	return visibleLine(reason.slice(0, longestReason).trim().replace(/[.:]$/, ''));
}
