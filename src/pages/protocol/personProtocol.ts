import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { L10n } from './pageValues.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';
import { personSections, type PersonChange, type PersonSection } from './personView.ts';

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
