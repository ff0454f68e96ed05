import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import type { PieceNews, PieceRequests, PieceStart } from './pieceProtocol.ts';
import { personSections, type PersonChange, type PersonSection } from './personView.ts';

/** Fixed texts of the page in the editor's language. */
export interface PersonPageStrings {
	readonly sections: Readonly<Record<PersonSection, string>>;
	/** Section titles on one's own page. */
	readonly ownSections: Readonly<Record<PersonSection, string>>;
	readonly profile: string;
	readonly address: string;
	readonly url: string;
	readonly location: string;
	readonly thisIsYou: string;
	readonly openOnWeb: string;
	readonly copyName: string;
	readonly copied: string;
	readonly loading: string;
	readonly tryAgain: string;
	readonly follow: string;
	/** `{0}`: the item to follow. */
	readonly followNamed: string;
}

export interface PersonPageStart extends PieceStart<PersonPageStrings, PersonChange> {
	/** Section to scroll to. */
	readonly section: PersonSection | undefined;
}

export interface RowName {
	readonly section: PersonSection;
	readonly key: string;
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

export const rowName: v.GenericSchema<unknown, RowName> = v.strictObject({
	section: personSection,
	key: v.pipe(v.string(), v.maxLength(2048)),
});
