import { inSentOrder } from './sentOrder.ts';
import type { SubjectPlace } from './subjectPlace.ts';

/** A mail that may belong to a set of patches. */
export interface SetMail {
	readonly id: number;
	readonly parentId: number | undefined;
	/** Time of sending (`sentOrder.ts`). */
	readonly createdMs: number;
	readonly arrivedMs: number;
	readonly subject: string;
	/** From the subject. */
	readonly place: SubjectPlace | undefined;
	/** Address and account of the sender; empty in doubt. */
	readonly names: readonly string[];
	/** `undefined` if unknown. */
	readonly hasDiff: boolean | undefined;
	/** Address of the commit's author, if the text names one. */
	readonly author: string | undefined;
	/** Patchset of the server. */
	readonly patchsetId: number | undefined;
	/** Message-ID of the answered mail, if that one is unknown. */
	readonly lostAbove?: string | undefined;
}

/** A patch or cover letter by its subject. */
export interface SetPart<M extends SetMail> {
	readonly mail: M;
	readonly place: SubjectPlace;
	/** Equal for all names of a person; empty in doubt. */
	readonly sender: string;
	/** The version of the subject, else of the cover letter above. */
	readonly version: number;
	readonly isVersioned: boolean;
}

/** The mails of a thread, with the parts of sets in the order of sending. */
export interface SetThread<M extends SetMail> {
	/** The mail that the others answer. */
	readonly first: M | undefined;
	readonly parts: readonly SetPart<M>[];
	readonly mail: (id: number | undefined) => M | undefined;
	readonly part: (id: number | undefined) => SetPart<M> | undefined;
	readonly senderOf: (names: readonly string[]) => string;
	/** Place in the order of sending. */
	readonly place: (mail: M | undefined) => number;
}

/** `submitter`: names of one more sender. */
export function setThread<M extends SetMail>(mails: readonly M[], submitter: readonly string[]): SetThread<M> {
	const byId = new Map(mails.map((mail) => [mail.id, mail]));
	const sent = inSentOrder(mails, {
		parentOf: ({ parentId }) => (parentId === undefined ? undefined : byId.get(parentId)),
		sentMsOf: ({ createdMs }) => createdMs,
		indexOf: ({ place }) => place?.index ?? 0,
	});
	const places = new Map(sent.map((mail, at) => [mail, at]));
	const senders = sendersIn([submitter, ...mails.map(({ names }) => names)]);
	const senderOf = (names: readonly string[]): string =>
		names.map((name) => senders.get(name)).find((sender) => sender !== undefined) ?? '';
	const parts = new Map<number, SetPart<M>>();
	for (const mail of sent) {
		const { place } = mail;
		if (place && !place.isReply && (mail.hasDiff !== false || (place.isNumbered && place.index === 0))) {
			const sender = senderOf(mail.names);
			const above = mail.parentId === undefined ? undefined : parts.get(mail.parentId);
			// Some people put the version into the subject of the cover letter or of the first patch only.
			const isBelowVersion =
				!place.isVersioned &&
				place.isNumbered &&
				above !== undefined &&
				above.place.index < place.index &&
				above.sender === sender &&
				above.isVersioned &&
				above.place.count === place.count;
			const { version, isVersioned } = isBelowVersion ? above : place;
			parts.set(mail.id, { mail, place, sender, version, isVersioned });
		}
	}
	return {
		first: sent[0],
		parts: [...parts.values()],
		mail: (id) => (id === undefined ? undefined : byId.get(id)),
		part: (id) => (id === undefined ? undefined : parts.get(id)),
		senderOf,
		place: (mail) => (mail && places.get(mail)) ?? Number.POSITIVE_INFINITY,
	};
}

/** Maps each address and account of a sender to one of them. */
function sendersIn(people: readonly (readonly string[])[]): ReadonlyMap<string, string> {
	const senders = new Map<string, string>();
	for (const names of people) {
		const known = names.find((name) => senders.has(name)) ?? names[0] ?? '';
		const sender = senders.get(known) ?? known;
		names.filter((name) => !senders.has(name)).forEach((name) => senders.set(name, sender));
	}
	return senders;
}
