import { asciiLower } from '../../../base/asciiLower.ts';
import type { TermPerson } from '../filterTerm.ts';
import { foldText, foldedHolds } from '../foldText.ts';
import type { ListFilter, ListTerm } from './listTerm.ts';
import type { Match, SearchViewer } from './searchedMail.ts';

export type Matching<T> = (entry: T) => Match;

/** Combines terms: any `no` wins, then any `unknown`. */
export function allOf<T>({ terms }: ListFilter, matchingOf: (term: ListTerm) => Matching<T>): Matching<T> {
	const matchings = terms.map((term) => negated(term.isNegated, matchingOf(term)));
	return (entry) => {
		let result: Match = 'yes';
		for (const matching of matchings) {
			const match = matching(entry);
			if (match === 'no') {
				return 'no';
			}
			result = match === 'unknown' ? match : result;
		}
		return result;
	};
}

function negated<T>(isNegated: boolean, matching: Matching<T>): Matching<T> {
	if (!isNegated) {
		return matching;
	}
	return (entry) => {
		const match = matching(entry);
		return match === 'unknown' ? match : isYes(match === 'no');
	};
}

export function isYes(condition: boolean): Match {
	return condition ? 'yes' : 'no';
}

/** Any `yes` wins, then any `unknown`. */
export function anyOf(matches: readonly Match[]): Match {
	return matches.includes('yes') ? 'yes' : matches.includes('unknown') ? 'unknown' : 'no';
}

/** A resolved person of a term. */
export interface MeantPerson {
	/** Matches accounts; `undefined` when the term names no account. */
	readonly isAccount: ((account: string) => boolean) | undefined;
	/** Matches `Name <address>` headers; `undefined` when the term names only an account. */
	readonly isNamed: ((name: string, address: string) => boolean) | undefined;
}

/** As on the forge: `~user` is an account, anything else part of a header. */
export function meantPerson(person: TermPerson, { me, addresses }: SearchViewer): MeantPerson {
	if (person.kind === 'me') {
		const own = addresses.map(asciiLower);
		return {
			isAccount: (account) => account === me,
			isNamed: own.length === 0 ? undefined : (_name, address) => own.includes(asciiLower(address)),
		};
	}
	if (person.name.startsWith('~')) {
		const wanted = foldText(person.name);
		return { isAccount: (account) => foldText(account) === wanted, isNamed: undefined };
	}
	const holds = foldedHolds(person.name);
	return { isAccount: undefined, isNamed: (name, address) => holds(name === '' ? address : `${name} <${address}>`) };
}
