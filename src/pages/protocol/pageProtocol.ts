import * as v from 'valibot';
import { fieldsOf } from '../../base/lenientJson.ts';

/*
 * Common parts of all pages, with the host's side of the messages. Pages import only types from here, so that no page
 * bundles the validators. The page's side is `src/pages/hostLink.ts`.
 */

/** A protocol: requests of the page, and news from the host. Plain data only. */
export interface Protocol {
	readonly requests: Readonly<Record<string, { readonly in: unknown; readonly out: unknown }>>;
	readonly news: Readonly<Record<string, unknown>>;
}

type Requests<P extends Protocol> = P['requests'];

/** A request. `id` increases within one load of the page; `life` is its `data-life`. */
export interface Ask {
	readonly kind: 'ask';
	readonly life?: number;
	readonly id: number;
	readonly name: string;
	readonly value?: unknown;
}

/** Messages of the host: one answer or refusal per request, and news at any time. */
export type FromHost =
	| { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
	/** `message` is a sentence for the user. */
	| { readonly kind: 'refusal'; readonly id: number; readonly message: string }
	| { readonly kind: 'news'; readonly name: string; readonly value: unknown };

/** Message of the host to a page: its document shows another page of the same script and styles. */
export interface Become {
	readonly kind: 'become';
	readonly life: number;
	readonly title: string;
	/** Plain JSON. */
	readonly subject: unknown;
	/** The message `start`; `undefined` if nothing is known yet. */
	readonly start: FromHost | undefined;
}

const ask: v.GenericSchema<unknown, Ask> = v.object({
	kind: v.literal('ask'),
	id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
	name: v.pipe(v.string(), v.maxLength(64)),
	value: v.optional(v.unknown()),
});

/** Handles one request. `decode` exists only to infer the input type. */
export interface Handler<In, Out> {
	readonly decode: (value: unknown) => In;
	readonly handle: (value: unknown) => Promise<Out>;
}

/** A page is an untrusted client: `run` gets only values that pass `schema`. */
export function handler<In, Out>(
	schema: v.GenericSchema<unknown, In>,
	run: (value: In) => Promise<Out>,
): Handler<In, Out> {
	const decode = (value: unknown): In => v.parse(schema, value);
	return { decode, handle: (value) => run(decode(value)) };
}

/** The same without an answer: the page learns only when it ends. */
export function action<In>(schema: v.GenericSchema<unknown, In>, run: (value: In) => unknown): Handler<In, undefined> {
	return handler(schema, async (value) => {
		await run(value);
		return undefined;
	});
}

/** One handler per request; a missing one is a compile error. */
export type Handlers<P extends Protocol> = {
	readonly [Name in keyof Requests<P>]: Handler<Requests<P>[Name]['in'], Requests<P>[Name]['out']>;
};

/** Handlers without their protocol's types. */
export type AnyHandlers = Readonly<Record<string, { readonly handle: (value: unknown) => Promise<unknown> }>>;

/** True for a late message of a page that its tab has replaced. */
export function isOfOtherLife(message: unknown, life: number): boolean {
	return typeof message === 'object' && message !== null && 'life' in message && message.life !== life;
}

/** True when the page took the keyboard. */
export function isFocus(message: unknown): boolean {
	return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'focus';
}

/** Whether the keyboard is in a text box of the page; `undefined` for other messages. */
export function typingIn(message: unknown): boolean | undefined {
	const { kind, isTyping } = fieldsOf(message);
	return kind === 'typing' ? isTyping === true : undefined;
}

export function isAsk(message: unknown, name: string): boolean {
	return typeof message === 'object' && message !== null && 'name' in message && message.name === name;
}

/** Answers a message from a page; never throws. Ignores messages that are not requests. */
export async function answer(
	handlers: AnyHandlers,
	message: unknown,
	describe: (error: unknown) => string,
): Promise<FromHost | undefined> {
	const asked = v.safeParse(ask, message);
	if (!asked.success) {
		return undefined;
	}
	const { id, name, value } = asked.output;
	try {
		const found = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
		if (!found) {
			throw new Error(`A page asked for the unknown ${JSON.stringify(name)}`);
		}
		return { kind: 'answer', id, value: await found.handle(value) };
	} catch (error) {
		return { kind: 'refusal', id, message: describe(error) };
	}
}

/** The host's translations. */
export interface L10n {
	t(message: string, ...values: readonly (string | number)[]): string;
}

/* Validators shared by several pages. A page is an untrusted client, so the host accepts only these values. */

/** For requests without data. */
export const nothing: v.GenericSchema<unknown, undefined> = v.pipe(
	v.nullish(v.null()),
	v.transform(() => undefined),
);

/** An index or count. */
export const wholeNumber: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Number of a mail or patchset. */
export const itemId: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** Account or address of a person. */
export const personName: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(600));

/** Address of a clicked link; the link policy decides about it. */
export const clickedHref: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(4096));

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

/** A run of text. Hidden characters are already written out, as `⟨U+202E⟩`. Never HTML. */
export type TextPiece =
	| { readonly kind: 'text'; readonly text: string }
	/** `href` has passed the link policy; the host checks it again on a click. */
	| { readonly kind: 'link'; readonly text: string; readonly href: string };

/** Lines of equal quote depth, without quote marks; LF line ends. */
export interface QuotedRun {
	/** From 1. */
	readonly depth: number;
	readonly pieces: readonly TextPiece[];
}

/** A changed file, in diff order. */
export interface FileStatView {
	/** Index in the mail's diff; argument of `forge.patchsets.openDiff`. */
	readonly index: number;
	/** Display path: `old → new` for a rename. */
	readonly path: string;
	readonly change: 'modified' | 'added' | 'deleted' | 'renamed' | 'copied';
	readonly added: number;
	readonly removed: number;
	readonly isBinary: boolean;
	/** Why no diff can be shown, as a sentence; the raw text is shown instead. */
	readonly trouble: string | undefined;
}

/** A part of a mail's text, in order. */
export type MailBlock =
	| { readonly kind: 'text'; readonly pieces: readonly TextPiece[] }
	/** Consecutive quoted lines. `hint`: the last line, shown when folded. */
	| {
			readonly kind: 'quote';
			readonly lines: number;
			readonly hint: string;
			readonly runs: readonly QuotedRun[];
	  }
	/** The part after `-- `. */
	| { readonly kind: 'signature'; readonly pieces: readonly TextPiece[] }
	/** Shortlog, diffstat and base commit, folded. */
	| { readonly kind: 'generated'; readonly lines: number; readonly pieces: readonly TextPiece[] }
	/** A diff; the editor shows its content. */
	| {
			readonly kind: 'diff';
			readonly files: readonly FileStatView[];
			readonly added: number;
			readonly removed: number;
	  }
	/** Number of characters omitted here; the document view has them. */
	| { readonly kind: 'cut'; readonly characters: number };

/** A person, with hidden characters visible. */
export interface MailPersonView {
	/** Empty if unknown. */
	readonly name: string;
	/** Empty if unknown. */
	readonly address: string;
}

/** An attachment, by index. */
export interface AttachmentView {
	readonly index: number;
	readonly name: string;
	/** Type and size, as text. */
	readonly detail: string;
	/** True if it opens as text; others can only be saved. */
	readonly isText: boolean;
}

/** The content of a parsed or raw mail. */
export interface MailContentView {
	/** Empty for a raw mail. */
	readonly from: readonly MailPersonView[];
	readonly to: readonly MailPersonView[];
	readonly cc: readonly MailPersonView[];
	/** Numbers of people omitted from the lists. */
	readonly morePeople: Readonly<Record<'from' | 'to' | 'cc', number>>;
	/** Warnings, as sentences: a deceptive sender, hidden characters. */
	readonly cautions: readonly string[];
	readonly blocks: readonly MailBlock[];
	readonly attachments: readonly AttachmentView[];
	readonly moreAttachments: number;
	/** Why the mail is raw, as a sentence. */
	readonly raw: { readonly note: string; readonly canReadWhole: boolean } | undefined;
}

/** A pull request. */
export interface PullView {
	readonly repository: string;
	/** Page of the repository on a known forge. */
	readonly href: string | undefined;
	readonly reference: string;
	/** Page of the reference on a known forge. */
	readonly referenceHref: string | undefined;
	readonly note: string;
	/** True if the changes can be shown. */
	readonly hasChanges: boolean;
	/** True if a fetch command exists. */
	readonly canFetch: boolean;
}

/** Fixed texts of mails. */
export function mailStrings(l10n: L10n) {
	return {
		quotedLines: l10n.t('{0} quoted lines'),
		signature: l10n.t('Signature'),
		generated: l10n.t('Generated by git, {0} lines'),
		charactersLeftOut: l10n.t('{0} more characters in the document.'),
		openDocument: l10n.t('Open as Document'),
		attachments: l10n.t('Attachments'),
		saveAttachment: l10n.t('Save…'),
		openAttachment: l10n.t('Open as Text'),
		oneFile: l10n.t('1 file'),
		files: l10n.t('{0} files'),
		linesChanged: l10n.t('{0} lines added, {1} removed'),
		oneLineAdded: l10n.t('1 line added, {0} removed'),
		added: l10n.t('new'),
		deleted: l10n.t('deleted'),
		renamed: l10n.t('renamed'),
		copied: l10n.t('copied'),
		binary: l10n.t('binary'),
		openDiff: l10n.t('Open Diff'),
		showAsItCame: l10n.t('View Raw Patch'),
		readWhole: l10n.t('Parse Anyway'),
		caution: l10n.t('Caution'),
		to: l10n.t('To'),
		cc: l10n.t('Cc'),
		andMore: l10n.t('and {0} more'),
		noAccount: l10n.t('no account'),
		openPerson: l10n.t('Open person {0}'),
		pull: l10n.t('Pull request'),
		pullChanges: l10n.t('Compare commits'),
		fetchPull: l10n.t('Fetch…'),
		copyFetchCommand: l10n.t('Copy Fetch Command'),
		repository: l10n.t('Repository'),
		reference: l10n.t('Reference'),
	};
}

export type MailStrings = ReturnType<typeof mailStrings>;
