import * as vscode from 'vscode';
import type { Tracker } from '../../../forge/tracker.ts';
import { visibleLine } from '../../../text/visible.ts';

/**
 * Why a ticket may be refused, said before anything is written; `undefined` when nothing speaks against it. The forge
 * tells what everybody may do and not what a single account was granted, so this is a doubt and no prohibition.
 */
export function submitDoubt(tracker: Tracker, me: string): string | undefined {
	const owner = tracker.owner.canonicalName;
	const told = tracker.defaultPermissions?.user;
	if (owner === me || told === undefined || told.includes('submit')) {
		return undefined;
	}
	return vscode.l10n.t(
		'Only some people can submit tickets to this tracker. If you are not one of them, ask {0} for permission.',
		visibleLine(owner),
	);
}
