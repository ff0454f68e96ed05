import type { Protocol } from './channel.ts';

/** What a page starts with that is told of its pieces as they become known. */
export interface PieceStart<Strings, Change> {
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: Strings;
	/** All that is known then. */
	readonly change: Change;
}

/** Words between the host and such a page; most have others beside these. */
export interface PieceProtocol<Start, Change> extends Protocol {
	readonly requests: PieceRequests<Start>;
	readonly news: PieceNews<Start, Change>;
}

/** What every such page asks of its host. */
export type PieceRequests<Start> = {
	/** Everything that is known now; `changed` tells what comes after. */
	readonly load: { readonly in: undefined; readonly out: Start };
	/** Reads what could not be read. */
	readonly again: { readonly in: undefined; readonly out: undefined };
	/** Opens a link that was clicked; the host decides whether and how. */
	readonly follow: { readonly in: string; readonly out: undefined };
};

/** What every such page is told. */
export type PieceNews<Start, Change> = {
	/** What is known when the page is opened; it comes with the page itself. */
	readonly start: Start;
	readonly changed: Change;
	/** The account is there by now: the page starts anew. */
	readonly reload: undefined;
};
