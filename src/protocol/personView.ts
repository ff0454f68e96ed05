import type { StatusIcon } from './patchsetView.ts';

/** The parts of a person's page below the profile, in their order: the longest comes last. */
export const personSections = ['patchsets', 'trackers', 'lists', 'repositories', 'mails'] as const;
export type PersonSection = (typeof personSections)[number];

/** Pictures that rows have. */
export type PersonIcon = StatusIcon | 'mail' | 'patch' | 'tracker' | 'list' | 'repository';

/** A fact of a profile, as visible text. */
export interface ProfileFact {
	readonly kind: 'address' | 'url' | 'location';
	readonly text: string;
	/** `undefined` for what is no link, or none that the link policy allows. */
	readonly href: string | undefined;
}

/** What the forge says of somebody. */
export type ProfileView =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	/** There is no profile; `text` says why, as a sentence. */
	| { readonly kind: 'none'; readonly text: string }
	| {
			readonly kind: 'profile';
			readonly facts: readonly ProfileFact[];
			/** Safe HTML made by the host; empty when there is no text, `undefined` while it is being made. */
			readonly bioHtml: string | undefined;
			/** Says what the forge failed to send of it, as a sentence; empty where it sent all. */
			readonly unsent: string;
	  };

/** The top of the page. */
export interface PersonHeadView {
	/** `alice`, or an e-mail address. */
	readonly title: string;
	/** `~alice`; `undefined` where no account is known. */
	readonly account: string | undefined;
	readonly isMe: boolean;
	readonly profile: ProfileView;
}

/** Something that can be opened. */
export interface RowView {
	/** Names the row within its section. */
	readonly key: string;
	readonly icon: PersonIcon;
	/** What the picture says, in a word; `undefined` when the section says it already. */
	readonly state: string | undefined;
	readonly title: string;
	readonly facts: readonly string[];
	readonly atMs: number | undefined;
	/** What came since the last look, in words. */
	readonly fresh: string | undefined;
	/** Whether it is in the account's views, in a word; or that it can be put there. */
	readonly tie: { readonly kind: 'there'; readonly text: string } | { readonly kind: 'offered' } | undefined;
}

/** Rows that belong together. */
export interface RowGroup {
	/** Empty for the only group of a section. */
	readonly title: string;
	/** Shown closed until somebody opens it. */
	readonly isFolded: boolean;
	readonly rows: readonly RowView[];
}

/** What a section shows. */
export type SectionView =
	| { readonly kind: 'hidden' }
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'rows';
			/** Empty groups are left out. */
			readonly groups: readonly RowGroup[];
			/** Instead of rows, where there are none. */
			readonly none: string;
			/** How much of the whole is shown; empty when all of it is. */
			readonly counts: string;
			/** What reading on is called; `undefined` when there is no more. */
			readonly more: string | undefined;
			readonly isReading: boolean;
			/** What could not be read and hides nothing of the rest, one sentence each. */
			readonly troubles: readonly string[];
	  };

/** What is different from what the page was told before. */
export interface PersonChange {
	readonly head: PersonHeadView | undefined;
	readonly sections: Readonly<Partial<Record<PersonSection, SectionView>>>;
}
