import { onlySender } from '../mail/onlySender.ts';
import type { SeriesMail } from './seriesReading.ts';

/** What the forge says of the mails of a series. */
interface CertainMails {
	readonly coverLetterId?: number | undefined;
	/** `undefined` where it does not tell, so that every mail may be one. */
	readonly patchIds?: ReadonlySet<number> | undefined;
}

/**
 * The mails of a conversation that may belong to a series: those that the forge says, and those of the same sender, for
 * a part that the forge did not recognise. A stranger's patches are none of it, whatever their subjects say.
 */
export function possibleMails(
	mails: readonly SeriesMail[],
	{ coverLetterId, patchIds }: CertainMails,
): readonly SeriesMail[] {
	if (patchIds === undefined) {
		return mails;
	}
	const isCertain = ({ id }: SeriesMail): boolean => patchIds.has(id) || id === coverLetterId;
	const senders = new Set(mails.filter(isCertain).flatMap(senderKey));
	return mails.filter((mail) => isCertain(mail) || senderKey(mail).some((key) => senders.has(key)));
}

/** Nothing for a mail whose sender is in doubt. */
function senderKey({ reading }: SeriesMail): readonly string[] {
	const sender = reading.kind === 'read' ? onlySender(reading.mail) : undefined;
	return sender === undefined || sender.address === '' ? [] : [sender.address.toLowerCase()];
}
