import { h, onClick, pushButton } from './dom.ts';
import { fill, textPieces, pilled } from './texts.ts';
import { icon } from './icons.ts';
import type { MailStrings, MailBlock, AttachmentView, FileStatView } from './protocol/pageProtocol.ts';

type Quote = MailBlock & { readonly kind: 'quote' };

/** Event from `setQuotes`. */
const foldEvent = 'fold-quotes';

/** A foldable quote with its number of lines. A one-line quote doesn't fold. */
function quoteFold(quote: Quote, strings: MailStrings, isOpen: boolean): HTMLElement {
	if (quote.lines === 1) {
		return h('div', { class: 'quote' }, quoted(quote));
	}
	const text = fill(strings.quotedLines, String(quote.lines));
	const button = h(
		'button',
		{ type: 'button', class: 'bare fold' },
		icon('more'),
		h('span', {}, text),
		h('span', { class: 'hint', 'aria-hidden': 'true' }, pilled(quote.hint)),
	);
	const element = h('div', { class: 'quote' }, button);
	let content: HTMLElement | undefined;
	const show = (isShown: boolean): void => {
		button.setAttribute('aria-expanded', String(isShown));
		if (isShown && !content) {
			// Lazy, because most quotes stay folded.
			content = quoted(quote);
			element.append(content);
		}
		content?.toggleAttribute('hidden', !isShown);
	};
	onClick(button, () => show(button.getAttribute('aria-expanded') !== 'true'));
	element.addEventListener(foldEvent, (event) => show(event instanceof CustomEvent && event.detail === true));
	show(isOpen);
	return element;
}

/** Folds or unfolds all quotes below an element. */
export function setQuotes(root: ParentNode, isOpen: boolean): void {
	for (const quote of root.querySelectorAll('.quote')) {
		quote.dispatchEvent(new CustomEvent(foldEvent, { detail: isOpen }));
	}
}

function quoted({ runs }: Quote): HTMLElement {
	const lines = runs.map(({ depth, pieces }) => {
		const run = h('div', { class: 'quoted mail-text', dir: 'auto' }, textPieces(pieces));
		run.style.setProperty('--quote-depth', String(depth));
		return run;
	});
	return h('blockquote', {}, ...lines);
}

/** Formats a number; `locale` is a BCP 47 tag. */
export function counted(count: number, { locale }: { readonly locale: string }): string {
	return new Intl.NumberFormat(locale).format(count);
}

/** `+12 −4`, with a sentence for screen readers. */
export function lineCounts(
	{ added, removed }: { readonly added: number; readonly removed: number },
	context: { readonly strings: Pick<MailStrings, 'linesChanged' | 'oneLineAdded'>; readonly locale: string },
): HTMLElement {
	const [more, less] = [counted(added, context), counted(removed, context)];
	const { linesChanged, oneLineAdded } = context.strings;
	const spoken = added === 1 ? fill(oneLineAdded, less) : fill(linesChanged, more, less);
	return h(
		'span',
		{ class: 'changes' },
		h('span', { class: 'read-aloud' }, spoken),
		h('span', { class: 'more', 'aria-hidden': 'true' }, `+${more}`),
		h('span', { 'aria-hidden': 'true' }, ' '),
		h('span', { class: 'less', 'aria-hidden': 'true' }, `\u2212${less}`),
	);
}

/** Shared tools and actions for a mail's text. */
export interface MailTextContext {
	readonly strings: MailStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly areQuotesOpen: () => boolean;
	/** `undefined` opens all files of the diff. */
	readonly openDiff: (file: number | undefined) => void;
	/** Shows the raw patch, or one file. */
	readonly showRaw: (file: number | undefined) => void;
	/** Opens the mail as a document. */
	readonly openDocument: () => void;
	readonly saveAttachment: (index: number) => void;
	readonly openAttachment: (index: number) => void;
}

export function mailBlocks(blocks: readonly MailBlock[], context: MailTextContext): readonly HTMLElement[] {
	const { strings } = context;
	return blocks.map((block) => {
		switch (block.kind) {
			case 'text':
				return h('div', { class: 'mail-text' }, textPieces(block.pieces));
			case 'quote':
				return quoteFold(block, strings, context.areQuotesOpen());
			case 'generated':
				return h(
					'details',
					{ class: 'letter' },
					h('summary', {}, fill(strings.generated, counted(block.lines, context))),
					h('div', { class: 'mail-text' }, textPieces(block.pieces)),
				);
			case 'signature':
				return h(
					'div',
					{ class: 'mail-text signature', role: 'note', 'aria-label': strings.signature },
					textPieces(block.pieces),
				);
			case 'diff':
				return diffElement(block, context);
			case 'cut':
				return h(
					'p',
					{ class: 'cut quiet' },
					`${fill(strings.charactersLeftOut, counted(block.characters, context))} `,
					linkButton(strings.openDocument, context.openDocument),
				);
		}
	});
}

function diffElement(diff: MailBlock & { readonly kind: 'diff' }, context: MailTextContext): HTMLElement {
	const { strings } = context;
	const count = counted(diff.files.length, context);
	const [only] = diff.files;
	const head = h(
		'p',
		{ class: 'diff-head' },
		icon('diff'),
		linkButton(strings.openDiff, () => context.openDiff(diff.files.length === 1 ? only?.index : undefined)),
		h('span', {}, diff.files.length === 1 ? strings.oneFile : fill(strings.files, count)),
		lineCounts(diff, context),
	);
	const rows = diff.files.map((file) => h('li', {}, ...fileParts(file, context)));
	return h('div', { class: 'diff' }, head, h('ul', {}, ...rows));
}

function fileParts(file: FileStatView, context: MailTextContext): readonly (HTMLElement | string)[] {
	const { strings } = context;
	const words = [
		...(file.change === 'modified' ? [] : [strings[file.change]]),
		...(file.isBinary ? [strings.binary] : []),
	];
	const open = file.trouble === undefined ? context.openDiff : context.showRaw;
	return [
		pushButton('link path', () => open(file.index), pilled(file.path)),
		' ',
		...(words.length === 0 ? [] : [h('span', { class: 'quiet' }, words.join(', ')), ' ']),
		...(file.isBinary || file.added + file.removed === 0 ? [] : [lineCounts(file, context)]),
		...(file.trouble === undefined
			? []
			: [
					h('span', { class: 'trouble' }, icon('warning'), pilled(file.trouble)),
					' ',
					linkButton(strings.showAsItCame, () => context.showRaw(file.index)),
				]),
	];
}

/** Attachments are shown, opened or saved only on request. */
export function attachmentList(
	attachments: readonly AttachmentView[],
	more: number,
	context: MailTextContext,
): HTMLElement | undefined {
	if (attachments.length === 0) {
		return undefined;
	}
	const { strings } = context;
	const rows = attachments.map(({ index, name, detail, isText }) =>
		h(
			'li',
			{},
			h('span', { class: 'path' }, pilled(name)),
			' ',
			h('span', { class: 'quiet' }, pilled(detail)),
			' ',
			linkButton(strings.saveAttachment, () => context.saveAttachment(index), name),
			...(isText ? [' ', linkButton(strings.openAttachment, () => context.openAttachment(index), name)] : []),
		),
	);
	const rest = more > 0 ? [h('li', { class: 'quiet' }, fill(strings.andMore, String(more)))] : [];
	return h(
		'div',
		{ class: 'attachments' },
		h('p', { class: 'quiet' }, strings.attachments),
		h('ul', {}, ...rows, ...rest),
	);
}

/** A button styled as a link. `about`: addition for screen readers. */
export function linkButton(text: string, run: () => void, about?: string): HTMLButtonElement {
	const label = about === undefined ? undefined : `${text} ${about}`;
	return pushButton({ class: 'link', 'aria-label': label }, run, text);
}
