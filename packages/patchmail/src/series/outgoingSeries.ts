import type { OutgoingMail } from '../mail/outgoingMail.ts';
import type { MailPerson } from '../mail/readableMail.ts';

/** Sender, recipients and tag of a series. */
export interface SeriesHead {
	readonly from: MailPerson;
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	/** Text in brackets before the number, such as `PATCH lantern v2`. */
	readonly tag: string;
	readonly cover: SeriesCover | undefined;
	/** Message-IDs of the cover letter, if any, and of the patches. */
	readonly messageIds: readonly string[];
}

/** Subject and content of a patch mail. */
export type OutgoingPatch = Pick<OutgoingMail, 'subject' | 'body' | 'bytes'>;

/** A cover letter. The subject has no brackets. */
export interface SeriesCover {
	readonly subject: string;
	readonly body: string;
}

/**
 * The mails of a series: the cover letter, if any, and the unchanged patches as replies to the first mail. The first
 * mail starts a thread, since servers form no patchset from a series in another thread
 * (docs/protocol.md#how-patchsets-form).
 */
export function outgoingSeries(
	{ from, to, cc, tag, cover, messageIds }: SeriesHead,
	patches: readonly OutgoingPatch[],
): readonly OutgoingMail[] {
	const number = '0'.padStart(String(patches.length).length, '0');
	const first = cover && {
		subject: `[${tag} ${number}/${patches.length}] ${cover.subject}`,
		body: cover.body,
		bytes: undefined,
	};
	const [root = ''] = messageIds;
	return [...(first ? [first] : []), ...patches].map(({ subject, body, bytes }, at) => ({
		from,
		to,
		cc,
		subject,
		body,
		bytes,
		messageId: messageIds[at]!,
		inReplyTo: at === 0 ? undefined : root,
		references: at === 0 ? [] : [root],
		patchsetStatus: undefined,
	}));
}
