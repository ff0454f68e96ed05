import * as vscode from 'vscode';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import type { LabelColors } from '../../../forge/tracker.ts';
import { contrast, readablePair } from '../../../text/contrast.ts';
import { swatch } from './showLabels.ts';

/** Asks for the colour of a label. Its text is black or white, whichever is easier to read on it. */
export async function askColors(title: string, present: LabelColors | undefined): Promise<LabelColors> {
	const chosen = await choose<string | undefined>(title, [
		...namedColors().map(({ name, color }): Choice<string | undefined> => ({
			label: name,
			description: color === present?.background.toLowerCase() ? vscode.l10n.t('{0} · now', color) : color,
			detail: contrastText(colorsOn(color)),
			iconPath: swatch({ colors: colorsOn(color) }),
			value: color,
		})),
		{
			label: vscode.l10n.t('Other Color…'),
			iconPath: new vscode.ThemeIcon('symbol-color'),
			alwaysShow: true,
			value: undefined,
		},
	]);
	return colorsOn(chosen ?? (await askHex(title, present)));
}

async function askHex(title: string, present: LabelColors | undefined): Promise<string> {
	const typed = await askFor({
		title,
		prompt: vscode.l10n.t('A color as six hexadecimal digits'),
		placeHolder: '#1d76db',
		...(present ? { value: present.background } : {}),
		complaint: (text) => (hexOf(text) === undefined ? vscode.l10n.t('Enter a color such as #1d76db.') : undefined),
	});
	return hexOf(typed) ?? '';
}

function hexOf(text: string): string | undefined {
	const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
	return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}

function colorsOn(background: string): LabelColors {
	return readablePair({ background, text: '' }) ?? { background, text: '#000000' };
}

function contrastText({ background, text }: LabelColors): string {
	const ratio = new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits: 1 }).format(
		contrast(background, text),
	);
	return text === '#000000'
		? vscode.l10n.t('black text, contrast {0} to 1', ratio)
		: vscode.l10n.t('white text, contrast {0} to 1', ratio);
}

/** In the order of the rainbow. */
function namedColors(): readonly { readonly name: string; readonly color: string }[] {
	return [
		{ name: vscode.l10n.t('Red'), color: '#b60205' },
		{ name: vscode.l10n.t('Orange'), color: '#d93f0b' },
		{ name: vscode.l10n.t('Yellow'), color: '#fbca04' },
		{ name: vscode.l10n.t('Green'), color: '#0e8a16' },
		{ name: vscode.l10n.t('Light Green'), color: '#c2e0c6' },
		{ name: vscode.l10n.t('Teal'), color: '#006b75' },
		{ name: vscode.l10n.t('Light Blue'), color: '#bfd4f2' },
		{ name: vscode.l10n.t('Blue'), color: '#1d76db' },
		{ name: vscode.l10n.t('Purple'), color: '#5319e7' },
		{ name: vscode.l10n.t('Pink'), color: '#e99695' },
		{ name: vscode.l10n.t('Brown'), color: '#7a4a1d' },
		{ name: vscode.l10n.t('Gray'), color: '#6a737d' },
		{ name: vscode.l10n.t('Black'), color: '#000000' },
		{ name: vscode.l10n.t('White'), color: '#ffffff' },
	];
}
