/** Something typed and not sent yet. */
export interface Draft {
	readonly text: string;
	/** When it was typed last: of two drafts of one text the later one counts. */
	readonly atMs: number;
}

/** Drafts that outlive the page they were typed on, the window and the sign-in. */
export interface Drafts {
	/** `about` names what the draft belongs to, such as an account and a ticket. */
	draft(about: string): Draft | undefined;
	/** Keeps a draft; one without text is forgotten. */
	keep(about: string, draft: Draft): Promise<void>;
}
