/** A patchset as a server or an archive lists it, before anybody reads its mails. */
export interface ListedPatchset {
	readonly id: number;
	readonly createdMs: number;
	readonly subject: string;
	readonly prefix: string | undefined;
	readonly version: number;
	readonly coverLetter: ListedMail | undefined;
	/** From header of the last patch. */
	readonly submitter: string | undefined;
	/** Message-ID of the last mail with angle brackets; of the first mail for a formed patchset. */
	readonly messageId: string | undefined;
	readonly supersededById: number | undefined;
	/** Earlier version that the server states; for a formed patchset, the first version in its thread. */
	readonly supersedesId?: number;
	/** Only of a patchset that the client forms. */
	readonly formed?: FormedFacts;
}

/** Facts of a patchset that the client forms from the mails of a thread. */
export interface FormedFacts {
	/** Patchset of the server for the thread, which has the status; `undefined` without one. */
	readonly threadPatchsetId: number | undefined;
	/** Patches that this version keeps from earlier ones. */
	readonly kept: readonly { readonly index: number; readonly version: number }[];
	readonly isComplete: boolean;
	/** Another person sent the first set of the thread. */
	readonly isByOther: boolean;
	/** False if only the name of the sender is known, as behind the address of a list. */
	readonly isSenderCertain: boolean;
	/** The newer complete set of this sender with the same number. */
	readonly repeatedById: number | undefined;
	/** Patchsets of the server that are versions of this one, or have some of its mails beside those of other people. */
	readonly ofServer: readonly number[];
}

interface ListedMail {
	readonly id: number;
	/** Account of the sender. */
	readonly sender: { readonly canonicalName: string } | undefined;
}

/** Above every number of a server. */
const formedFrom = 1e12;
/** Mails of archives have numbers from here on: so many for each minute since 1970, until 2097. */
export const archivedFrom = 2 ** 42;
export const numbersOfMinute = 2 ** 25;
/** For patchsets of such mails. */
const formedOfArchives = 2 ** 52;

/** Local number of a patchset that the client forms from mails, based on its first mail. */
export function formedPatchsetId(mailId: number): number {
	return (mailId < archivedFrom ? formedFrom : formedOfArchives) + mailId;
}

/** True for a patchset of a server, whose number people know. */
export function isNumbered(patchsetId: number): boolean {
	return patchsetId < formedFrom;
}

/** First mail of a formed patchset; `undefined` for a patchset of the server or archive. */
export function firstMailOfFormed(patchsetId: number): number | undefined {
	if (patchsetId >= formedOfArchives) {
		return patchsetId - formedOfArchives;
	}
	return patchsetId > formedFrom && patchsetId < archivedFrom ? patchsetId - formedFrom : undefined;
}
