import { isPatchsetStatus } from '../../lists/mailModel.ts';
import { isResolution, isStatus } from '../../tickets/ticketModel.ts';
import type { FileChange, ReplyPlan, SeriesPlan } from '../lists/seriesPlan.ts';
import type { Turn } from '../tickets/turns.ts';
import patches from './patches.json' with { type: 'json' };
import repositories from './repositories.json' with { type: 'json' };

/** Days count from the present; the past is negative. */
export interface GuestCommit {
	readonly who: string;
	readonly day: number;
	readonly subject: string;
	readonly text?: readonly string[];
	readonly changes: readonly GuestChange[];
	/** Default: `master`. A new branch starts at the end of `master`. */
	readonly branch?: string;
	readonly tag?: string;
}

/** Lines to add as a file, or to find and replace in one. */
interface GuestChange {
	readonly path: string;
	readonly add?: readonly string[];
	readonly find?: readonly string[];
	readonly replace?: readonly string[];
}

interface GuestRepository {
	readonly name: string;
	readonly description: string;
	readonly commits: readonly GuestCommit[];
}

export const guestRepositories: readonly GuestRepository[] = repositories;

export function changeOf({ path, add, find = [], replace = [] }: GuestChange): FileChange {
	return add === undefined ? ['edit', path, find.join('\n'), replace.join('\n')] : ['add', path, `${add.join('\n')}\n`];
}

interface GuestSeries extends Pick<SeriesPlan, 'key' | 'author' | 'day' | 'version' | 'cover' | 'to'> {
	/** Subject of the commit that the series starts from. */
	readonly base: string;
	readonly commits: readonly {
		readonly subject: string;
		readonly text: string;
		readonly changes: readonly GuestChange[];
	}[];
	readonly moves: readonly { readonly status: string; readonly hours: number }[];
	/** Without `to` a reply answers the one before. */
	readonly talk: readonly (Pick<ReplyPlan, 'who' | 'hours' | 'says'> & { readonly to?: number })[];
}

export interface GuestSeriesPlan extends SeriesPlan {
	readonly base: string;
}

const seriesPlan = (series: GuestSeries): GuestSeriesPlan => ({
	...series,
	list: 'pebble-devel',
	tag: 'PATCH pebble',
	commits: series.commits.map((commit) => ({ ...commit, changes: commit.changes.map(changeOf) })),
	talk: series.talk.map(({ to, ...reply }) => ({ ...reply, to: to ?? ('last' as const) })),
	moves: series.moves.map(({ status, hours }) => [sure(isPatchsetStatus, status), hours]),
});

const sent: readonly GuestSeries[] = patches.sent;
const later: readonly GuestSeries[] = patches.later;

export const guestSeries = sent.map(seriesPlan);
/** Series that arrive while the guest is there. */
export const laterSeries = later.map(seriesPlan);

/** A step in the life of a ticket. */
export interface GuestTurn {
	/** After the ticket was opened. */
	readonly hours: number;
	readonly who: string;
	readonly says?: string;
	readonly adds?: string;
	readonly assigns?: string;
	readonly moves?: string;
	readonly resolves?: string;
}

export function turnOf({ who, says, adds, assigns, moves, resolves }: GuestTurn): Turn {
	const words = says === undefined ? {} : { says };
	if (adds !== undefined) {
		return { who, adds };
	}
	if (assigns !== undefined) {
		return { who, assigns };
	}
	if (moves !== undefined) {
		const status = sure(isStatus, moves);
		return status === 'resolved' ? { who, resolves: 'closed', ...words } : { who, moves: status, ...words };
	}
	return resolves === undefined ? { who, says: says ?? '' } : { who, resolves: sure(isResolution, resolves), ...words };
}

/** Throws for a word that the forge doesn't know, which is a bug in the data. */
function sure<T extends string>(isKnown: (word: string) => word is T, word: string): T {
	if (!isKnown(word)) {
		throw new Error(`The guest world uses an unknown word: ${word}`);
	}
	return word;
}
