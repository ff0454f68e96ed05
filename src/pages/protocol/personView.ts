import type { StatusIcon } from './patchsetView.ts';

/** Sections of a person's page below the profile, in page order. The longest is last. */
export const personSections = ['patchsets', 'trackers', 'lists', 'repositories', 'mails'] as const;
export type PersonSection = (typeof personSections)[number];

/** Row icons. */
export type PersonIcon = StatusIcon | 'mail' | 'patch' | 'tracker' | 'list' | 'repository';

/** A fact of a profile, as visible text. */
export interface ProfileFact {
	readonly kind: 'address' | 'url' | 'location';
	readonly text: string;
	/** `undefined` for plain text, and for links that the link policy rejects. */
	readonly href: string | undefined;
}

/** The forge's profile of a person. */
export type ProfileView =
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	/** No profile; `text` is the reason, as a sentence. */
	| { readonly kind: 'none'; readonly text: string }
	| {
			readonly kind: 'profile';
			readonly facts: readonly ProfileFact[];
			/** Safe HTML from the host; empty without a text, `undefined` while rendering. */
			readonly bioHtml: string | undefined;
			/** Sentence about fields that the forge failed to send; may be empty. */
			readonly unsent: string;
	  };

/** Top of the page. */
export interface PersonHeadView {
	/** `alice`, or an e-mail address. */
	readonly title: string;
	/** `~alice`; `undefined` without a known account. */
	readonly account: string | undefined;
	readonly isMe: boolean;
	readonly profile: ProfileView;
}

/** A row that opens something. */
export interface RowView {
	/** Unique within the section. */
	readonly key: string;
	readonly icon: PersonIcon;
	/** Text of the icon; `undefined` if the section says it already. */
	readonly state: string | undefined;
	readonly title: string;
	readonly facts: readonly string[];
	readonly atMs: number | undefined;
	/** New items since the last look, in words. */
	readonly fresh: string | undefined;
	/** A word if the account's views have it, or an offer to add it. */
	readonly tie: { readonly kind: 'there'; readonly text: string } | { readonly kind: 'offered' } | undefined;
}

/** Rows with a common heading. */
export interface RowGroup {
	/** Empty for the only group of a section. */
	readonly title: string;
	/** Collapsed at first. */
	readonly isFolded: boolean;
	readonly rows: readonly RowView[];
}

/** State of a section. */
export type SectionView =
	| { readonly kind: 'hidden' }
	| { readonly kind: 'loading' }
	| { readonly kind: 'failed'; readonly reason: string }
	| {
			readonly kind: 'rows';
			/** Without empty groups. */
			readonly groups: readonly RowGroup[];
			/** Text for a section without rows. */
			readonly none: string;
			/** Shown part of the total; empty if complete. */
			readonly counts: string;
			/** Label of the button for more rows; `undefined` at the end. */
			readonly more: string | undefined;
			readonly isReading: boolean;
			/** Partial failures, one sentence each. */
			readonly troubles: readonly string[];
	  };

/** Changes since the last message. */
export interface PersonChange {
	readonly head: PersonHeadView | undefined;
	readonly sections: Readonly<Partial<Record<PersonSection, SectionView>>>;
}
