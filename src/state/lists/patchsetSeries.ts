import type { ListApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { Email, Patchset, PatchsetRef } from '../../forge/list.ts';
import { patchSubject } from '../../forge/patchSubject.ts';
import type { ListMails } from './listMails.ts';
import type { MailGlance, Series } from './mailGlance.ts';

/** What reading a series needs. */
export interface SeriesSource {
	readonly api: Pick<ListApi, 'patches'>;
	readonly mails: ListMails;
}

/**
 * Reads all patches of a patchset and finds its cover letter, which observed servers do not name
 * (docs/protocol.md#patchset-fields).
 */
export async function readSeries(
	source: SeriesSource,
	{ ref, patchset }: { readonly ref: PatchsetRef; readonly patchset: Patchset | undefined },
	signal: AbortSignal,
): Promise<Series> {
	const patches: MailGlance[] = [];
	for await (const page of source.api.patches(ref, signal)) {
		patches.push(...page.items.map((mail) => source.mails.take(mail)));
	}
	const cover = patchset?.coverLetter
		? source.mails.take(patchset.coverLetter)
		: await coverOf(source.mails, { patches, patchsetId: ref.id }, signal);
	return { cover, patches };
}

/** The cover letter is what the first patch answers, unless that is a mail of an earlier version or of somebody else. */
async function coverOf(
	mails: ListMails,
	{ patches, patchsetId }: { readonly patches: readonly MailGlance[]; readonly patchsetId: number },
	signal: AbortSignal,
): Promise<MailGlance | undefined> {
	const [first] = patches;
	if (first?.parentId === undefined || patches.some(({ id }) => id === first.parentId)) {
		return undefined;
	}
	try {
		const answered = await mails.mail(first.parentId, signal);
		return isCoverOf(first, answered) || (answered.patchsetId === patchsetId && !answered.isPatch)
			? mails.takeBeside(answered, first)
			: undefined;
	} catch (error) {
		// A series without its cover letter is still worth reading.
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed')) {
			return undefined;
		}
		throw error;
	}
}

function isCoverOf(patch: MailGlance, mail: Email): boolean {
	const place = patchSubject(patch.subject);
	const cover = patchSubject(mail.subject);
	return (
		cover?.index === 0 &&
		!cover.isReply &&
		cover.version === place?.version &&
		cover.count === place.count &&
		cover.prefix === place.prefix
	);
}
