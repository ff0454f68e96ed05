import * as v from 'valibot';
import type { Protocol } from './channel.ts';
import { personSections, type PersonChange, type PersonSection } from './personView.ts';

/** Every text of the page that does not depend on the person, in the language of the editor. */
export interface PersonPageStrings {
	readonly sections: Readonly<Record<PersonSection, string>>;
	/** The same on one's own page. */
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
	/** With `{0}` for what is followed. */
	readonly followNamed: string;
}

/** What the page starts with: all that is known then. */
export interface PersonPageStart {
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	readonly strings: PersonPageStrings;
	readonly change: PersonChange;
	/** The section that the page was opened for. */
	readonly section: PersonSection | undefined;
}

/** A row by its section and key. */
export interface RowName {
	readonly section: PersonSection;
	readonly key: string;
}

/** Words between a person's page and the host. */
export interface PersonProtocol extends Protocol {
	readonly requests: {
		/** Everything that is known now; `changed` tells what comes after. */
		readonly load: { readonly in: undefined; readonly out: PersonPageStart };
		/** Reads what could not be read. */
		readonly again: { readonly in: undefined; readonly out: undefined };
		/** Reads on in a section. */
		readonly more: { readonly in: PersonSection; readonly out: undefined };
		readonly open: { readonly in: RowName; readonly out: undefined };
		/** Puts a tracker, list or repository into the account's views. */
		readonly keep: { readonly in: RowName; readonly out: undefined };
		/** Opens a link that was clicked; the host decides whether and how. */
		readonly follow: { readonly in: string; readonly out: undefined };
		readonly copyName: { readonly in: undefined; readonly out: undefined };
		readonly openOnWeb: { readonly in: undefined; readonly out: undefined };
	};
	readonly news: {
		/** What is known when the page is opened; it comes with the page itself. */
		readonly start: PersonPageStart;
		readonly changed: PersonChange;
		/** Somebody wants to see this section. */
		readonly show: PersonSection;
		/** The account is there by now: the page starts anew. */
		readonly reload: undefined;
	};
}

/** Names a section. */
export const personSection: v.GenericSchema<unknown, PersonSection> = v.picklist(personSections);

/** Names a row. */
export const rowName: v.GenericSchema<unknown, RowName> = v.strictObject({
	section: personSection,
	key: v.pipe(v.string(), v.maxLength(2048)),
});
