import * as vscode from 'vscode';
import { visibilities, type Visibility, type WantedVisibility } from 'sourcehut/port/visibility.ts';
import { choose } from '../ask/ask.ts';

/** Current value and its mark. */
export interface MarkedVisibility {
	readonly value: Visibility;
	readonly mark: string;
}

/** Asks for the visibility. The marked value is first, so that Enter changes nothing and publishes nothing. */
export function askVisibility(question: string, marked?: MarkedVisibility): Promise<WantedVisibility> {
	const choices = visibilities.map((value) => ({
		...textsOf(value),
		...(value === marked?.value && { description: marked.mark }),
		value,
	}));
	return choose(
		question,
		choices.toSorted((a, b) => Number(b.value === marked?.value) - Number(a.value === marked?.value)),
	);
}

function textsOf(visibility: WantedVisibility): Pick<vscode.QuickPickItem, 'label' | 'detail' | 'iconPath'> {
	switch (visibility) {
		case 'public':
			return {
				label: vscode.l10n.t('Public'),
				detail: vscode.l10n.t('Everyone; it is listed on your profile.'),
				iconPath: new vscode.ThemeIcon('globe'),
			};
		case 'unlisted':
			return {
				label: vscode.l10n.t('Unlisted'),
				detail: vscode.l10n.t('Anyone with the link.'),
				iconPath: new vscode.ThemeIcon('link'),
			};
		case 'private':
			return {
				label: vscode.l10n.t('Private'),
				detail: vscode.l10n.t('You and people you give access to.'),
				iconPath: new vscode.ThemeIcon('lock'),
			};
	}
}
