import type { OutgoingMail } from '../mail/outgoingMail.ts';
import type { MailPerson, ReadableMail } from '../mail/readableMail.ts';

/** Who sends a series to whom, and as what. */
export interface SeriesHead {
	readonly from: MailPerson;
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	/** What stands in brackets before the number, such as `PATCH lantern v2`. */
	readonly tag: string;
	readonly cover: SeriesCover | undefined;
	/** The Message-IDs of the cover letter, where there is one, and of the patches. */
	readonly messageIds: readonly string[];
}

/** A cover letter without what stands in brackets. */
export interface SeriesCover {
	readonly subject: string;
	readonly body: string;
}

/**
 * The mails of a series: the cover letter, where there is one, and the patches as they were read, each a reply to the first
 * mail. That one replies to none, because a series that is sent into another thread forms no patchset
 * (docs/protocol.md#how-patchsets-form).
 */
export function outgoingSeries(
	{ from, to, cc, tag, cover, messageIds }: SeriesHead,
	patches: readonly Pick<ReadableMail, 'subject' | 'body'>[],
): readonly OutgoingMail[] {
	const first: SeriesCover | undefined = cover && {
		subject: `[${tag} 0/${patches.length}] ${cover.subject}`,
		body: cover.body,
	};
	const [root = ''] = messageIds;
	return [...(first ? [first] : []), ...patches].map(({ subject, body }, at) => ({
		from,
		to,
		cc,
		subject,
		body,
		messageId: messageIds[at] ?? '',
		inReplyTo: at === 0 ? undefined : root,
		references: at === 0 ? [] : [root],
		patchsetStatus: undefined,
	}));
}
