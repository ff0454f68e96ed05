import type { Protocol } from './channel.ts';

/** Initial data of a page with partial updates. */
export interface PieceStart<Strings, Change> {
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: Strings;
	/** All data known so far. */
	readonly change: Change;
}

/** Initial data of a page of numbered entries, such as comments or mails. */
export interface EntryStart<Change> {
	/** Id of this start, for `load`. */
	readonly number: number;
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	/** Entry to scroll to; missing after it was sent once. */
	readonly entry: number | undefined;
	/** Changes since the page's current start; missing without any. */
	readonly change: Change | undefined;
	/** Error as a sentence if nothing could be loaded. */
	readonly failure: string | undefined;
}

/** Messages of such a page; most pages add their own. */
export interface PieceProtocol<Start, Change> extends Protocol {
	readonly requests: PieceRequests<Start>;
	readonly news: PieceNews<Start, Change>;
}

/** Requests of all such pages. */
export type PieceRequests<Start> = {
	/** All current data; `changed` reports later changes. */
	readonly load: { readonly in: undefined; readonly out: Start };
	/** Retries failed reads. */
	readonly again: { readonly in: undefined; readonly out: undefined };
	/** A click on a link. The host applies the link policy. */
	readonly follow: { readonly in: string; readonly out: undefined };
};

/** News for all such pages. */
export type PieceNews<Start, Change> = {
	/** Embedded in the page itself. */
	readonly start: Start;
	readonly changed: Change;
	/** The account has signed in by now: the page starts over. */
	readonly reload: undefined;
};
