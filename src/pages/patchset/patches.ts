import type { PatchesChange, PatchFileView, PatchView } from '../protocol/patchsetProtocol.ts';
import { h, replaceChildren, setAttributes, pushButton } from '../dom.ts';
import { fill, dot, pilled } from '../texts.ts';
import { icon } from '../icons.ts';
import { counted, lineCounts, linkButton, mailBlocks, type MailTextContext } from '../mailBlocks.ts';
import { cautionLines, personParts } from '../mailPeople.ts';
import type { PageContext } from './pageContext.ts';

/** Longer series use lazy layout. */
const manyPatches = 30;

/** Patches with author, size and files. */
export function patches(context: PageContext) {
	const list = h('ol', { class: 'patches' });
	const none = h('p', { class: 'quiet', hidden: true }, context.strings.noPatches);
	const element = h(
		'section',
		{ class: 'part', hidden: true, 'aria-labelledby': 'patches-title' },
		h('h2', { id: 'patches-title' }, context.strings.patches),
		none,
		list,
	);
	const rows: HTMLElement[] = [];
	return {
		element,
		show({ count, put }: PatchesChange) {
			for (const { at, patch } of put) {
				const before = rows[at];
				const row = patchRow(patch, { ...context, isAlone: count === 1 });
				rows[at] = row;
				if (before) {
					takePlace(before, row);
				}
			}
			rows.length = Math.min(rows.length, count);
			replaceChildren(
				list,
				rows.filter((row) => row !== undefined),
			);
			list.classList.toggle('many', count > manyPatches);
			element.hidden = false;
			none.hidden = count > 0;
		},
	};
}

/** Replaces a changed patch; keeps open sections and focus. */
function takePlace(before: HTMLElement, row: HTMLElement): void {
	const unfolded = Array.from(before.querySelectorAll('details'), ({ open }) => open);
	row.querySelectorAll('details').forEach((details, at) => {
		details.open = unfolded[at] ?? details.open;
	});
	const focused = before.contains(document.activeElement) ? document.activeElement : null;
	before.replaceWith(row);
	if (focused) {
		const actions = Array.from(row.querySelectorAll<HTMLElement>('button, summary, a'));
		(actions.find(({ textContent }) => textContent === focused.textContent) ?? actions[0])?.focus({
			preventScroll: true,
		});
	}
}

type RowContext = PageContext & { readonly isAlone: boolean };

function patchRow(patch: PatchView, context: RowContext): HTMLElement {
	const { strings } = context;
	const files = patch.files.length + patch.moreFiles;
	const mail = { strings: strings.mail, locale: context.locale };
	// The button's text is constant, so that focus restoration finds it.
	const viewed = linkButton(strings.viewed, () => context.ask('toggleViewed', patch.mailId), patch.title);
	setAttributes(viewed, { class: 'link viewed', 'aria-pressed': String(patch.viewed.isAll) });
	return h(
		'li',
		{ class: 'patch', 'data-mail': String(patch.mailId), tabindex: '-1' },
		h(
			'h3',
			{},
			...(patch.number === '' ? [] : [h('span', { class: 'number' }, patch.number), ' ']),
			pilled(patch.title),
		),
		h(
			'p',
			{ class: 'byline' },
			...(patch.author ? [...personParts(patch.author, context.people), dot()] : []),
			lineCounts(patch, mail),
			dot(),
			files === 1 ? strings.oneFile : fill(strings.severalFiles, counted(files, context)),
			dot(),
			linkButton(strings.openDiff, () => context.ask('openDiff', { mail: patch.mailId }), patch.title),
			dot(),
			linkButton(strings.showRaw, () => context.ask('showRaw', { mail: patch.mailId }), patch.title),
			...(files === 0 ? [] : [dot(), viewed, ...(patch.viewed.text === '' ? [] : [dot(), patch.viewed.text])]),
			...(patch.replies === ''
				? []
				: [dot(), linkButton(patch.replies, () => context.ask('openMail', patch.mailId), patch.title)]),
		),
		...cautionLines(patch.cautions, strings.mail),
		...folded(strings.applied, patch.applied, context, patch),
		...folded(strings.message, patch.message, context, patch),
		...folded(strings.notes, patch.commentary, context, patch),
		h(
			'ul',
			{ class: 'files' },
			...patch.files.map((file) => fileRow(file, patch.mailId, context)),
			...(patch.moreFiles === 0
				? []
				: [h('li', { class: 'quiet' }, fill(strings.moreFiles, counted(patch.moreFiles, context)))]),
		),
	);
}

function folded(
	label: string,
	blocks: PatchView['message'],
	context: RowContext,
	{ mailId, title }: PatchView,
): readonly HTMLElement[] {
	if (blocks.length === 0) {
		return [];
	}
	const mailContext = mailTextContext(mailId, context);
	// For a single patch, show the message unfolded.
	return [
		h(
			'details',
			{ class: 'letter', open: context.isAlone },
			h('summary', {}, label, h('span', { class: 'read-aloud' }, ': ', pilled(title))),
			...mailBlocks(blocks, mailContext),
		),
	];
}

/** Actions for a mail's text. */
export function mailTextContext(mailId: number, { strings, locale, ask }: PageContext): MailTextContext {
	return {
		strings: strings.mail,
		locale,
		areQuotesOpen: () => false,
		openDiff: (part) => ask('openDiff', { mail: mailId, part }),
		showRaw: () => ask('showRaw', { mail: mailId }),
		openDocument: () => ask('openMail', mailId),
		saveAttachment: () => ask('openMail', mailId),
		openAttachment: () => ask('openMail', mailId),
	};
}

function fileRow(file: PatchFileView, mailId: number, context: PageContext): HTMLElement {
	const { strings } = context;
	const { change, isBinary, mode, trouble } = file;
	const open = pushButton(
		'link path',
		() => context.ask('openDiff', { mail: mailId, part: file.index }),
		pilled(file.path),
	);
	const facts = [...(isBinary ? [strings.mail.binary] : []), ...(mode === '' ? [] : [mode])];
	return h(
		'li',
		{},
		h(
			'span',
			{ class: `letter-of letter-${change}`, title: file.word },
			h('span', { 'aria-hidden': 'true' }, file.letter),
			h('span', { class: 'read-aloud' }, file.word),
		),
		h(
			'span',
			{ class: 'file' },
			open,
			...(file.added + file.removed === 0
				? []
				: [' ', lineCounts(file, { strings: strings.mail, locale: context.locale })]),
			...(facts.length === 0 ? [] : [' ', h('span', { class: 'quiet' }, pilled(facts.join(', ')))]),
			...(trouble === undefined ? [] : [' ', h('span', { class: 'trouble' }, icon('warning'), pilled(trouble))]),
		),
	);
}
