import type { ListCondition, ListFilter } from '../../src/engine/search/mails/listTerm.ts';
import { quoteValue } from '../../src/engine/search/quoteValue.ts';

/** Prints a filter. Parsing the text gives the same terms in the same order. */
export function printListFilter({ terms }: Pick<ListFilter, 'terms'>): string {
	return terms.map(({ condition, isNegated }) => `${isNegated ? '!' : ''}${printCondition(condition)}`).join(' ');
}

function printCondition(condition: ListCondition): string {
	switch (condition.kind) {
		case 'is':
			return `is:${condition.what}`;
		case 'from':
		case 'to':
		case 'cc':
			return `${condition.kind}:${condition.person.kind === 'me' ? 'me' : quoteValue(condition.person.name)}`;
		case 'status':
			return `status:${quoteValue(condition.status)}`;
		case 'prefix':
			return `prefix:${quoteValue(condition.prefix)}`;
		case 'sent':
			return `sender-timestamp:${condition.written}`;
		case 'header':
			return `${condition.name}:${quoteValue(condition.value)}`;
		case 'text':
			return quoteWord(condition.text);
	}
}

/** Quotes a search word, so that the parser finds no key and no `!` in it. */
function quoteWord(word: string): string {
	return word === '' || word.startsWith('!') || /[\s"'\\:]/.test(word)
		? `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`
		: word;
}
