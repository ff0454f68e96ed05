import { asciiLower } from '@forge-desk/base/asciiLower.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { TermPerson } from '../filterGrammar.ts';
import { foldText, foldedHolds } from '../foldText.ts';
import type { MailKind, ListFilter, ListCondition, PersonCondition } from './listFilter.ts';
import type { Match, SearchViewer, SearchedMail } from './searchedMail.ts';

export type Matching<T> = (entry: T) => Match;

/** Combines terms: any `no` wins, then any `unknown`. */
export function allOf<T>(
	{ terms }: ListFilter,
	matchingOf: (term: ListFilter['terms'][number]) => Matching<T>,
): Matching<T> {
	const matchings = terms.map((term) => ({ matching: matchingOf(term), no: term.isNegated ? 'yes' : 'no' }));
	return (entry) => {
		let result: Match = 'yes';
		for (const { matching, no } of matchings) {
			const match = matching(entry);
			if (match === no) {
				return 'no';
			}
			result = match === 'unknown' ? match : result;
		}
		return result;
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

/** `unknown` when the result depends on unloaded data; words search only loaded data. */
export function matchMail(filter: ListFilter, viewer: SearchViewer): Matching<SearchedMail> {
	return allOf(filter, ({ condition }) => mailMatching(condition, viewer));
}

export function mailMatching(condition: ListCondition, viewer: SearchViewer): Matching<SearchedMail> {
	switch (condition.kind) {
		case 'is':
			return (mail) => isOfKind(mail, condition.what);
		case 'from':
			return fromMatching(condition, viewer);
		case 'to':
		case 'cc':
			return recipientMatching(condition, viewer);
		case 'status':
			return ({ patchset }) =>
				isYes(patchset !== undefined && spelled(patchset.status).toLowerCase() === condition.status);
		case 'prefix': {
			const wanted = foldText(condition.prefix);
			return ({ patchset }) => isYes(patchset !== undefined && foldText(patchset.prefix ?? '') === wanted);
		}
		case 'sent': {
			const { fromMs, toMs } = condition.span;
			return ({ read }) =>
				read === undefined
					? 'unknown'
					: isYes(read.dateMs !== undefined && fromMs <= read.dateMs && read.dateMs < toMs);
		}
		case 'header': {
			const holds = foldedHolds(condition.value);
			return ({ read }) =>
				read === undefined
					? 'unknown'
					: isYes(read.headers.some(({ name, value }) => name === condition.name && holds(value)));
		}
		case 'text': {
			const holds = foldedHolds(condition.text);
			return ({ subject, read }) => isYes(holds(subject) || (read !== undefined && holds(read.text)));
		}
		default:
			return assertNever(condition);
	}
}

function isOfKind({ isPatch, isRequestPull, isReply, mark }: SearchedMail, what: MailKind): Match {
	switch (what) {
		case 'patch':
			return isPatch === undefined ? 'unknown' : isYes(isPatch);
		case 'request-pull':
			return isRequestPull === undefined ? 'unknown' : isYes(isRequestPull);
		case 'reply':
			return isYes(isReply);
		case 'thread':
			return isYes(!isReply);
		case 'changed':
		case 'new':
		case 'unread':
			return isMarked(mark, what);
	}
}

export function isMarked(mark: Mark | undefined, what: Mark | 'unread'): Match {
	return isYes(what === 'unread' ? mark !== undefined : mark === what);
}

function fromMatching({ person }: PersonCondition, viewer: SearchViewer): Matching<SearchedMail> {
	const { isAccount, isNamed } = meantPerson(person, viewer);
	return ({ account, read }) => {
		if (account !== undefined && isAccount?.(account) === true) {
			return 'yes';
		}
		if (isNamed === undefined) {
			return 'no';
		}
		return read === undefined ? 'unknown' : isYes(read.from.some(({ name, address }) => isNamed(name, address)));
	};
}

/** Headers don't contain account names, but the address of a list may contain one. */
function recipientMatching({ kind, person }: PersonCondition, viewer: SearchViewer): Matching<SearchedMail> {
	const { isNamed } = meantPerson(person, viewer);
	const holds = person.kind === 'named' ? foldedHolds(person.name) : () => false;
	return ({ read }) => {
		if (read === undefined || (isNamed === undefined && person.kind === 'me')) {
			return 'unknown';
		}
		const people = kind === 'cc' ? read.cc : read.to;
		return isYes(people.some(({ name, address }) => holds(address) || isNamed?.(name, address) === true));
	};
}
