import * as v from 'valibot';
import type { L10n, PieceNews, PieceRequests, PieceStart, Protocol } from './pageProtocol.ts';

export type ConnectionStart = PieceStart<ConnectionStrings, ConnectionView>;

/** Messages between the page of Check Connection and the host. */
export interface ConnectionProtocol extends Protocol {
	readonly requests: PieceRequests<ConnectionStart> & {
		/** Ends the running checks. */
		readonly cancel: { readonly in: undefined; readonly out: undefined };
		readonly copy: { readonly in: undefined; readonly out: undefined };
		/** Runs the remedy of a line. */
		readonly repair: { readonly in: string; readonly out: undefined };
	};
	readonly news: PieceNews<ConnectionStart, ConnectionView>;
}

/** Key of a line. */
export const lineKey = v.pipe(v.string(), v.maxLength(40));

/** `waiting`: the check still runs. */
export type LineLevel = 'ok' | 'warning' | 'action' | 'waiting';

export interface LineView {
	/** Unique in the page, until the next run. */
	readonly key: string;
	readonly level: LineLevel;
	readonly text: string;
	/** Label of the button that repairs; `undefined` without one. */
	readonly remedy: string | undefined;
}

export interface GroupView {
	readonly title: string;
	readonly lines: readonly LineView[];
}

/** The whole report. */
export interface ConnectionView {
	readonly isRunning: boolean;
	/** Result or progress, as a sentence. */
	readonly summary: string;
	readonly groups: readonly GroupView[];
}

/** Fixed texts of the page. */
export function connectionStrings(l10n: L10n) {
	return {
		title: l10n.t('Check Connection'),
		levels: { ok: l10n.t('OK'), warning: l10n.t('Warning'), action: l10n.t('Action'), waiting: l10n.t('Checking…') },
		copy: l10n.t('Copy Report'),
		copied: l10n.t('Copied'),
		again: l10n.t('Check Again'),
		cancel: l10n.t('Cancel'),
	};
}

export type ConnectionStrings = ReturnType<typeof connectionStrings>;
