import { spelled } from 'sourcehut/port/word.ts';
import { foldText, foldedHolds } from '../foldText.ts';
import { allOf, anyOf, isYes, meantPerson, type Matching, isMarked, mailMatching } from './matchMail.ts';
import { isMarkKind, type ListCondition, type ListFilter, type PersonCondition } from './listFilter.ts';
import type { Match, SearchedPatchset, SearchViewer } from './searchedMail.ts';

/**
 * A patchset matches if one of its known mails does. `unknown` when it depends on unloaded data; words search only
 * loaded data.
 */
export function matchPatchset(filter: ListFilter, viewer: SearchViewer): Matching<SearchedPatchset> {
	return allOf(filter, ({ condition }) => patchsetMatching(condition, viewer));
}

function patchsetMatching(condition: ListCondition, viewer: SearchViewer): Matching<SearchedPatchset> {
	switch (condition.kind) {
		case 'status':
			return ({ patchset }) => isYes(spelled(patchset.status).toLowerCase() === condition.status);
		case 'prefix': {
			const wanted = foldText(condition.prefix);
			return ({ patchset }) => isYes(foldText(patchset.prefix ?? '') === wanted);
		}
		case 'is': {
			const { what } = condition;
			// A patchset consists of patches, and its first mail starts a thread.
			return ({ mark }) => (isMarkKind(what) ? isMarked(mark, what) : isYes(what === 'patch' || what === 'thread'));
		}
		case 'from':
			return submitterMatching(condition, viewer);
		case 'text': {
			const holds = foldedHolds(condition.text);
			const inMail = mailMatching(condition, viewer);
			return ({ patchset, mails }) => isYes(holds(patchset.subject) || mails.some((mail) => inMail(mail) === 'yes'));
		}
		case 'to':
		case 'cc':
		case 'sent':
		case 'header': {
			const inMail = mailMatching(condition, viewer);
			return ({ mails }) => (mails.length === 0 ? 'unknown' : anyOf(mails.map(inMail)));
		}
	}
}

/** Servers send the From header of the last patch, or the cover letter's sender account. */
function submitterMatching(condition: PersonCondition, viewer: SearchViewer): Matching<SearchedPatchset> {
	const { isAccount, isNamed } = meantPerson(condition.person, viewer);
	const inMail = mailMatching(condition, viewer);
	return ({ patchset: { submitter, coverLetter }, mails }) => {
		const account = coverLetter?.sender?.canonicalName;
		const answers: Match[] = mails.map(inMail);
		if (account !== undefined && isAccount !== undefined) {
			answers.push(isYes(isAccount(account)));
		}
		if (submitter !== undefined && isNamed !== undefined) {
			// An ambiguous header is plain text, nobody's address.
			const { name, address } = viewer.senderIn(submitter) ?? { name: submitter, address: '' };
			answers.push(isYes(isNamed(name, address)));
		}
		return answers.length === 0 ? 'unknown' : anyOf(answers);
	};
}
