import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError, type UnreachableReason } from 'sourcehut/port/forgeError.ts';
import type { ReadBefore } from '../../store/shared/listing.ts';
import { clockTime, spokenAge } from '../../engine/text/age.ts';

const minuteMs = 60_000;

/** "12 minutes ago", "12 min. ago". True until the next minute, because views redraw ages no sooner. */
export function agoText(atMs: number, nowMs: number, style: 'long' | 'short'): string {
	return nowMs - atMs < minuteMs
		? vscode.l10n.t('less than a minute ago')
		: spokenAge(atMs, nowMs, vscode.env.language, style);
}

/** Beside a view's title: why it is not up to date, and the setting that changes it. */
export function pausedText(untilMs: number, nowMs: number): string {
	return vscode.l10n.t(
		'paused until {0}, request limit reached (forge.index.requestsPerHour)',
		clockTime(untilMs, nowMs, vscode.env.language),
	);
}

const answering: ReadonlySet<UnreachableReason> = new Set(['tls', 'proxy', 'proxySignIn', 'proxyUnusable', 'webPage']);

/** No answer came. A bad certificate or a strict proxy is an answer, so other words fit. */
export function isOffline(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'unreachable' && !answering.has(error.problem.reason);
}

/**
 * Explains stale content: `error` prevented a reload, or without it the reload is running. `age`: age of the content,
 * if known.
 */
export function readBeforeText(error: unknown, age: string | undefined): string {
	const kind = isForgeError(error) ? error.problem.kind : undefined;
	const isKnown = age !== undefined;
	if (isKnown && error === undefined) {
		return vscode.l10n.t('Refreshing – showing data from {0}', age);
	}
	if (isAbort(error)) {
		return isKnown
			? vscode.l10n.t('Cancelled – showing data from {0}', age)
			: vscode.l10n.t('Cancelled – showing earlier data');
	}
	if (isOffline(error)) {
		return isKnown
			? vscode.l10n.t('Offline – showing data from {0}', age)
			: vscode.l10n.t('Offline – showing earlier data');
	}
	if (kind === 'rateLimited') {
		return isKnown
			? vscode.l10n.t('Too many requests – showing data from {0}', age)
			: vscode.l10n.t('Too many requests – showing earlier data');
	}
	if (kind === 'serverError') {
		return isKnown
			? vscode.l10n.t('The forge failed – showing data from {0}', age)
			: vscode.l10n.t('The forge failed – showing earlier data');
	}
	return isKnown
		? vscode.l10n.t('Not up to date – showing data from {0}', age)
		: vscode.l10n.t('Not up to date – showing earlier data');
}

/** The same as a line for a language model; empty for current content. */
export function readBeforeLines(before: ReadBefore | undefined): readonly string[] {
	return before ? [`The forge does not answer; this was read ${new Date(before.readAtMs).toISOString()}.`] : [];
}
