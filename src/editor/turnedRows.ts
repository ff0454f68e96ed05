import type { Connection, Connections } from '../state/connection.ts';
import type { KeptNames } from '../state/keptNames.ts';

/** Which rows of a view somebody unfolded or folded up, until the account that they belong to signs out. */
export interface TurnedRows {
	/** `undefined` where nobody turned the row, or too long ago. */
	isUnfolded(id: string): boolean | undefined;
	turn(id: string, isUnfolded: boolean): void;
}

export interface TurnedRowsParts {
	readonly connections: Pick<Connections, 'all'>;
	readonly kept: (connectionKey: string) => KeptNames;
	readonly log: (error: unknown) => void;
}

/** Each unfolded row may cost a request when the view is first seen. */
const mostRows = 100;
/** A folder's path has no end of its own. */
const mostLetters = 1000;

/** The editor forgets which rows are unfolded when the window is reloaded, and asks no one; so it is kept here. */
export function turnedRows({ connections, kept, log }: TurnedRowsParts): TurnedRows {
	const known = new WeakMap<Connection, Map<string, boolean>>();

	/** Ids begin with the key of the account; what stands over all accounts is kept with the first. */
	function ownerOf(id: string): Connection | undefined {
		const all = connections.all();
		return all.find(({ key }) => id === key || id.startsWith(`${key}/`)) ?? all[0];
	}

	function rowsOf(connection: Connection): Map<string, boolean> {
		const rows = known.get(connection) ?? new Map(kept(connection.key).all().flatMap(read));
		known.set(connection, rows);
		return rows;
	}

	return {
		isUnfolded(id) {
			const owner = ownerOf(id);
			return owner && rowsOf(owner).get(id);
		},
		turn(id, isUnfolded) {
			const owner = ownerOf(id);
			if (!owner || id.length > mostLetters) {
				return;
			}
			const rows = rowsOf(owner);
			rows.delete(id);
			rows.set(id, isUnfolded);
			dropOldest(rows);
			kept(owner.key)
				.keep(Array.from(rows, ([row, isOpen]) => `${isOpen ? '+' : '-'}${row}`))
				.catch(log);
		},
	};
}

/** Folded rows go first: most rows are folded anyway until somebody unfolds them. */
function dropOldest(rows: Map<string, boolean>): void {
	if (rows.size > mostRows) {
		const [folded] = [...rows].find(([, isUnfolded]) => !isUnfolded) ?? [];
		const [oldest] = rows.keys();
		const gone = folded ?? oldest;
		if (gone !== undefined) {
			rows.delete(gone);
		}
	}
}

function read(text: string): readonly (readonly [string, boolean])[] {
	const isUnfolded = text.startsWith('+');
	return isUnfolded || text.startsWith('-') ? [[text.slice(1), isUnfolded]] : [];
}
