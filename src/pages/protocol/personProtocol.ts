import * as v from 'valibot';
import type { L10n, PieceNews, PieceRequests, PieceStart, Protocol } from './pageProtocol.ts';
import type { StatusIcon } from './patchsetProtocol.ts';

/** Sections of a person's page below the profile. */
export const personSections = ['patchsets', 'trackers', 'lists', 'repositories', 'mails'] as const;
export type PersonSection = (typeof personSections)[number];

export interface PersonPageStart extends PieceStart<PersonPageStrings, PersonChange> {
	/** Section to scroll to. */
	readonly section: PersonSection | undefined;
}

/** Messages between the person page and the host. */
export interface PersonProtocol extends Protocol {
	readonly requests: PieceRequests<PersonPageStart> & {
		/** Reads more rows. */
		readonly more: { readonly in: PersonSection; readonly out: undefined };
		readonly open: { readonly in: RowName; readonly out: undefined };
		/** Adds a tracker, list or repository to the account's views. */
		readonly keep: { readonly in: RowName; readonly out: undefined };
		readonly copyName: { readonly in: undefined; readonly out: undefined };
		readonly openOnWeb: { readonly in: undefined; readonly out: undefined };
	};
	readonly news: PieceNews<PersonPageStart, PersonChange> & {
		/** Scrolls to this section. */
		readonly show: PersonSection;
	};
}

export const personSection: v.GenericSchema<unknown, PersonSection> = v.picklist(personSections);

export const rowName = v.strictObject({ section: personSection, key: v.pipe(v.string(), v.maxLength(2048)) });
export type RowName = Readonly<v.InferOutput<typeof rowName>>;

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

/** Fixed texts of the page. */
export function personStrings(l10n: L10n) {
	return {
		sections: {
			patchsets: l10n.t('Patchsets'),
			mails: l10n.t('Messages'),
			trackers: l10n.t('Trackers'),
			lists: l10n.t('Mailing lists'),
			repositories: l10n.t('Repositories'),
		},
		ownSections: {
			patchsets: l10n.t('Patchsets you sent and their status'),
			mails: l10n.t('Your messages'),
			trackers: l10n.t('Your trackers'),
			lists: l10n.t('Your mailing lists'),
			repositories: l10n.t('Your repositories'),
		},
		profile: l10n.t('Profile'),
		address: l10n.t('Email address'),
		url: l10n.t('Website'),
		location: l10n.t('Location'),
		thisIsYou: l10n.t('This is you'),
		openOnWeb: l10n.t('Open on the Web'),
		copyName: l10n.t('Copy Name'),
		copied: l10n.t('Copied'),
		loading: l10n.t('Loading…'),
		tryAgain: l10n.t('Try Again'),
		follow: l10n.t('Follow'),
		followNamed: l10n.t('Follow {0}'),
	};
}

export type PersonPageStrings = ReturnType<typeof personStrings>;
