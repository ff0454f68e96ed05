/** The text of one operation, tokenized so that `withoutFields` can remove single fields. */
export interface Document {
	/** Servers may log it, and the learnt facts use it as a key. */
	readonly name: string;
	readonly isMutation: boolean;
	/** The query on one line, without comments. */
	readonly text: string;
	/** Number of fields: servers limit it. */
	readonly points: number;
	/** Fields that open the repository on the server's disk: at most one (docs/protocol.md#one-opening-field). */
	readonly opens: readonly string[];
	/** The text without the fields that the server lacks. */
	withoutFields(isLacking: (field: TypeField) => boolean): string;
	/**
	 * The document as part of a joint one, without fields that the server lacks. `prefix` starts the names of its
	 * variables and root fields. `undefined` if no field remains.
	 */
	beside(prefix: string, isLacking: (field: TypeField) => boolean): DocumentPart | undefined;
	/** Present if the document has optional fields. */
	readonly droppable: Droppable | undefined;
	/** Two documents with half of the aliases each, if the document selects one field under several aliases. */
	readonly halves: readonly [Document, Document] | undefined;
}

/** One document's share of a joint query. */
export interface DocumentPart {
	/** Variables, such as `$q0_owner:String!`, separated by spaces. */
	readonly declarations: string;
	/** The text between the outermost braces. */
	readonly selection: string;
}

/** Fields of `Repository` that read the Git repository, and not only the database. */
export const openingFields: ReadonlySet<string> = new Set([
	'HEAD',
	'log',
	'object',
	'objects',
	'path',
	'reference',
	'references',
	'revparse_single',
]);

/** A field as error messages name it. */
export interface TypeField {
	readonly type: string;
	readonly field: string;
}

/** An optional field. */
export interface DroppableField extends TypeField {
	/** The field's own grant, such as `ACLS:RO`. Without it, the field may refer to a hidden thing. */
	readonly grant?: string;
}

/**
 * Parses a document. A comment after each opening brace names the type of the selection (`{ # Tracker`), because a
 * server's "Cannot query field" error names only type and field (docs/protocol.md#graphql-at-the-door). A test compares
 * these comments with the schemas. `droppable`: the optional fields.
 */
export function graphql(source: string, droppable: readonly DroppableField[] = []): Document {
	const tokens = tokensOf(source);
	return documentOf(tokens, droppable.length === 0 ? undefined : droppableOf(tokens, droppable));
}

function documentOf(tokens: readonly string[], droppable?: Droppable): Document {
	const [kind, name = ''] = tokens;
	const text = joined(tokens);
	let opens: readonly string[] | undefined;
	return {
		droppable,
		get halves() {
			return halvesOf(tokens);
		},
		name,
		isMutation: kind === 'mutation',
		text,
		points: tokens.filter((_, at) => isCounted(tokens, at)).length,
		get opens() {
			opens ??= Array.from(fieldsIn(tokens)).flatMap(({ type, field }) =>
				type === 'Repository' && openingFields.has(field) ? [field] : [],
			);
			return opens;
		},
		withoutFields(isLacking) {
			const kept = joined(withoutUnusedVariables(cutFields(tokens, isLacking)));
			return isEmpty(kept) ? text : kept;
		},
		beside(prefix, isLacking) {
			const kept = withoutUnusedVariables(cutFields(tokens, isLacking));
			return isEmpty(joined(kept)) ? undefined : partOf(kept, prefix);
		},
	};
}

/**
 * The optional fields of a document. One hidden thing makes its whole parent null (docs/protocol.md#hidden-things), so
 * the caller retries without these fields.
 */
export type Droppable = ReturnType<typeof droppableOf>;

/** Computes the smaller document on first use, because hidden things are rare. */
function droppableOf(tokens: readonly string[], fields: readonly DroppableField[]) {
	const isOne = ({ type, field }: TypeField): boolean =>
		fields.some((each) => each.type === type && each.field === field);
	let without: Document | undefined;
	return {
		/** Grants that only these fields need, such as `ACLS:RO`; empty if they need no extra grant. */
		grants: fields.flatMap(({ grant }) => grant ?? []),
		/** True if a path of field names leads to an optional field, or into one. */
		holds: (path: readonly string[]) =>
			Array.from(fieldsIn(tokens)).some((each) => isOne(each) && each.path.every((name, at) => path[at] === name)),
		/** The document without its optional fields. */
		get without() {
			without ??= documentOf(withoutUnusedVariables(cutFields(tokens, isOne)));
			return without;
		},
	};
}

function halvesOf(tokens: readonly string[]): Document['halves'] {
	const renamed = Array.from(fieldsIn(tokens)).filter(({ from }) => tokens[from + 1] === ':');
	const alike = renamed.filter(({ type, field }) => type === renamed[0]?.type && field === renamed[0].field);
	if (alike.length < 2) {
		return undefined;
	}
	const middle = Math.ceil(alike.length / 2);
	const without = (left: readonly FieldAt[]): Document => {
		const starts = new Set(left.map(({ from }) => from));
		return documentOf(withoutUnusedVariables(cut(tokens, ({ from }) => starts.has(from))));
	};
	return [without(alike.slice(middle)), without(alike.slice(0, middle))];
}

/** True if cutting left no fields. */
function isEmpty(text: string): boolean {
	return text === '' || text.endsWith('{}');
}

/** True for a field, but not for an alias or an argument. */
function isCounted(tokens: readonly string[], at: number): boolean {
	const open = tokens.lastIndexOf('(', at);
	const isInBrackets = open !== -1 && behindBrackets(tokens, open) > at;
	return at > 1 && !isInBrackets && isFieldName(tokens, at) && tokens[at + 1] !== ':';
}

function partOf(tokens: readonly string[], prefix: string): DocumentPart {
	const own = tokens.map((token) => (token.startsWith('$') ? `$${prefix}${token.slice(1)}` : token));
	const body = own[2] === '(' ? behindBrackets(own, 2) : 2;
	const selection: string[] = [];
	let depth = 0;
	for (let at = body; at < own.length; at += 1) {
		const token = own[at] ?? '';
		depth += token.startsWith('{') ? 1 : token === '}' ? -1 : 0;
		if (token === '(') {
			const end = behindBrackets(own, at);
			selection.push(...own.slice(at, end));
			at = end - 1;
		} else if (depth === 1 && isFieldName(own, at) && own[at - 1] !== ':') {
			selection.push(`${prefix}${token}`, ...(own[at + 1] === ':' ? [] : [':', token]));
		} else {
			selection.push(token);
		}
	}
	return { declarations: joined(own.slice(3, Math.max(3, body - 1))), selection: joined(selection.slice(1, -1)) };
}

/** Keeps the type comment after an opening brace (`# Tracker`) and removes all other comments. */
function tokensOf(source: string): readonly string[] {
	return Array.from(
		source.matchAll(/\{\s*#[ \t]*[A-Z]\w*|#[^\n]*|"(?:[^"\\\n]|\\.)*"|\.\.\.|[\w$]+|[^\s,\w]/g),
		([token]) => token,
	).filter((token) => !token.startsWith('#'));
}

function joined(tokens: readonly string[]): string {
	return tokens
		.map((token) => (token.startsWith('{') ? '{' : token))
		.join(' ')
		.replaceAll(/ ?([{}():!\][=]) ?/g, '$1')
		.replaceAll(/\.\.\. ?/g, '...');
}

function cutFields(tokens: readonly string[], isLacking: (field: TypeField) => boolean): readonly string[] {
	return cut(tokens, ({ type, field }) => isLacking({ type, field }));
}

/** Removes fields with their arguments and selections. */
function cut(tokens: readonly string[], isLeftOut: (field: FieldAt) => boolean): readonly string[] {
	const kept: string[] = [];
	let next = 0;
	for (const field of fieldsIn(tokens)) {
		if (field.from >= next && isLeftOut(field)) {
			kept.push(...tokens.slice(next, field.from));
			next = field.end;
		}
	}
	return withoutEmptyFragments([...kept, ...tokens.slice(next)]);
}

function withoutEmptyFragments(tokens: readonly string[]): readonly string[] {
	const isEmptyAt = (at: number): boolean =>
		tokens[at] === '...' &&
		tokens[at + 1] === 'on' &&
		tokens[at + 4] === '}' &&
		tokens[at + 3]?.startsWith('{') === true;
	return tokens.filter((_, at) => ![0, 1, 2, 3, 4].some((back) => isEmptyAt(at - back)));
}

interface FieldAt extends TypeField {
	/** Path in the response, by aliases. */
	readonly path: readonly string[];
	readonly from: number;
	/** Index after the arguments and the selection. */
	readonly end: number;
}

interface Selection {
	readonly type: string;
	readonly path: readonly string[];
}

/** Yields all fields with the types of their selections. */
function* fieldsIn(tokens: readonly string[]): Generator<FieldAt, void, undefined> {
	const around: Selection[] = [];
	let path: readonly string[] = [];
	for (let at = 0; at < tokens.length; at += 1) {
		const token = tokens[at] ?? '';
		const inside = around.at(-1);
		if (token.startsWith('{')) {
			around.push(
				isFragment(tokens, at) && inside ? { ...inside, type: typeAt(tokens, at) } : { type: typeAt(tokens, at), path },
			);
		} else if (token === '}') {
			around.pop();
		} else if (token === '(') {
			at = behindBrackets(tokens, at) - 1;
		} else if (inside && isFieldName(tokens, at)) {
			const named = tokens[at + 1] === ':' ? at + 2 : at;
			path = [...inside.path, token];
			yield { type: inside.type, field: tokens[named] ?? '', path, from: at, end: behindField(tokens, named) };
			at = named;
		}
	}
}

/** Fields of an inline fragment belong to the selection around it. */
function isFragment(tokens: readonly string[], brace: number): boolean {
	return tokens[brace - 2] === 'on';
}

/** The type from the comment, or from `... on`. */
function typeAt(tokens: readonly string[], brace: number): string {
	const named = /\w+$/.exec(tokens[brace] ?? '')?.[0];
	return named ?? (isFragment(tokens, brace) ? (tokens[brace - 1] ?? '') : '');
}

/** Excludes spreads and their type names. */
function isFieldName(tokens: readonly string[], at: number): boolean {
	const isWord = /^[A-Za-z_]\w*$/.test(tokens[at] ?? '');
	const isSpread = tokens[at - 1] === '...' || tokens[at - 2] === '...';
	return isWord && !isSpread;
}

/** Index of the token after a field's arguments and selection. */
function behindField(tokens: readonly string[], named: number): number {
	const behindArguments = tokens[named + 1] === '(' ? behindBrackets(tokens, named + 1) : named + 1;
	return tokens[behindArguments]?.startsWith('{') === true ? behindBrackets(tokens, behindArguments) : behindArguments;
}

function behindBrackets(tokens: readonly string[], from: number): number {
	let depth = 0;
	for (let at = from; at < tokens.length; at += 1) {
		const token = tokens[at] ?? '';
		if (token.startsWith('{') || token === '(') {
			depth += 1;
		} else if (token === '}' || token === ')') {
			depth -= 1;
			if (depth === 0) {
				return at + 1;
			}
		}
	}
	return tokens.length;
}

/** Servers reject an operation with unused variables. */
function withoutUnusedVariables(tokens: readonly string[]): readonly string[] {
	const [, , open] = tokens;
	if (open !== '(') {
		return tokens;
	}
	const end = behindBrackets(tokens, 2);
	const body = new Set(tokens.slice(end));
	const declared = tokens
		.slice(3, end - 1)
		.reduce<readonly (readonly string[])[]>(
			(all, token) =>
				token.startsWith('$') ? [...all, [token]] : [...all.slice(0, -1), [...(all.at(-1) ?? []), token]],
			[],
		);
	const used = declared.filter(([variable = '']) => body.has(variable));
	const head = used.length === 0 ? [] : ['(', ...used.flat(), ')'];
	return [...tokens.slice(0, 2), ...head, ...tokens.slice(end)];
}
