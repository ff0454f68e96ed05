import * as vscode from 'vscode';
import type { ShownGroup } from './checkRun.ts';
import type { Level } from './line.ts';

function levelText(level: Level): string {
	switch (level) {
		case 'ok':
			return vscode.l10n.t('OK');
		case 'warning':
			return vscode.l10n.t('Warning');
		case 'action':
			return vscode.l10n.t('Action');
	}
}

/** The shown lines as plain text. Lines hold no secrets; `program` names versions only. */
export function reportText(groups: readonly ShownGroup[], program: string): string {
	const parts = groups.map(({ title, checks }) =>
		[
			title,
			...checks.flatMap(({ about, lines }) =>
				lines === undefined
					? [`  [${vscode.l10n.t('Checking…')}] ${about}`]
					: lines.map(({ level, text }) => `  [${levelText(level)}] ${text}`),
			),
		].join('\n'),
	);
	return `${[program, ...parts].join('\n\n')}\n`;
}
