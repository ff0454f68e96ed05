import type { Condition, FilterTerm, ParsedFilter, TermPerson } from '../../src/engine/search/filterTerm.ts';
import { quoteValue } from '../../src/engine/search/quoteValue.ts';

/** Prints a filter. Parsing the text gives the same terms in the same order, the sort order last. */
export function printFilter({ terms, sort }: ParsedFilter): string {
	const written = terms.map(printTerm);
	return (sort ? [...written, `${sort.isReversed ? 'rsort' : 'sort'}:${sort.key}`] : written).join(' ');
}

function printTerm({ condition, isNegated }: FilterTerm): string {
	return `${isNegated ? '!' : ''}${printCondition(condition)}`;
}

function printCondition(condition: Condition): string {
	switch (condition.kind) {
		case 'status':
			return `status:${condition.status}`;
		case 'submitter':
		case 'assigned':
			return `${condition.kind}:${printPerson(condition.person)}`;
		case 'label':
			return `label:${quoteValue(condition.name)}`;
		case 'no':
			return `no:${condition.what}`;
		case 'is':
			return `is:${condition.what}`;
		case 'text':
			return quoteWord(condition.text);
	}
}

function printPerson(person: TermPerson): string {
	return person.kind === 'me' ? 'me' : quoteValue(person.name);
}

/** Quotes a search word, so that the parser finds no key and no `!` in it. */
function quoteWord(word: string): string {
	return word === '' || word.startsWith('!') || /[\s"'\\:]/.test(word) ? inQuotes(word) : word;
}

function inQuotes(text: string): string {
	return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
