/** A selected field, or an inline fragment. */
export interface Field {
	/** Its name in the answer: the alias, or the field's name. `undefined` for a fragment. */
	readonly key: string | undefined;
	readonly name: string;
	/** Arguments; each variable is followed by its type, such as `(name:$name String!)`. */
	readonly given: string;
	/** Type of the selection; empty for a value. */
	readonly type: string;
	readonly fields: readonly Field[];
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
 * A field with its selection. `written`: alias, arguments with the types of their variables, and type, such as
 * `t0: ticket(id: $n0 Int!): Ticket`; `... on Tree` for a fragment. `inferred`: the type, if it isn't written.
 */
export function fieldOf(written: string, fields: readonly Field[] = [], inferred: string = ''): Field {
	const fragment = /^\.\.\. on (\w+)$/.exec(written)?.[1];
	if (fragment !== undefined) {
		return { key: undefined, name: `...on ${fragment}`, given: '', type: fragment, fields };
	}
	const [, alias, name = '', given = '', type = inferred] =
		/^(?:(\w+): (?=[a-z]))?(\w+)(\([^)]*\))?(?:: (\w+))?$/.exec(written) ?? [];
	return { key: alias ?? name, name, given: given.replaceAll(/\s*([:,{}])\s*/g, '$1'), type, fields };
}

/** One operation as a tree, so that `withoutFields` can remove single fields. */
export class Document {
	readonly #kind: 'query' | 'mutation';
	readonly #fields: readonly Field[];
	readonly #droppable: readonly DroppableField[];
	#without: Document | undefined;
	/** Servers may log it, and the learnt facts use it as a key. */
	readonly name: string;
	/** The operation on one line. */
	readonly text: string;
	/** Number of fields: servers limit it. */
	readonly points: number;
	/** Fields that open the repository on the server's disk: at most one (docs/protocol.md#one-opening-field). */
	readonly opens: readonly string[];

	constructor(
		kind: 'query' | 'mutation',
		name: string,
		fields: readonly Field[],
		droppable: readonly DroppableField[] = [],
	) {
		this.#kind = kind;
		this.#fields = fields;
		this.#droppable = droppable;
		this.name = name;
		this.text = this.#textOf(fields);
		const all = this.#all();
		this.points = all.length;
		this.opens = all.flatMap(({ type, field }) => (type === 'Repository' && openingFields.has(field) ? [field] : []));
	}

	get isMutation(): boolean {
		return this.#kind === 'mutation';
	}

	/** The text without the fields that the server lacks. */
	withoutFields(isLacking: (field: TypeField) => boolean): string {
		const kept = this.#cut(isLacking);
		return kept.length === 0 ? this.text : this.#textOf(kept);
	}

	/**
	 * The document as part of a joint one, without fields that the server lacks. `prefix` starts the names of its
	 * variables and root fields. `undefined` if no field remains.
	 */
	beside(prefix: string, isLacking: (field: TypeField) => boolean) {
		const kept = this.#cut(isLacking).map((each) => ({ ...each, key: `${prefix}${each.key}` }));
		return kept.length === 0
			? undefined
			: {
					/** Variables, such as `$q0_owner:String!`, separated by spaces. */
					declarations: declarationsIn(kept, prefix),
					/** The text between the outermost braces. */
					selection: printed(kept, prefix).slice(1, -1),
				};
	}

	/** Two documents with half of the aliases each, if the document selects one field under several aliases. */
	get halves(): readonly [Document, Document] | undefined {
		const renamed = this.#all().filter(({ at }) => at.key !== at.name);
		const alike = renamed.filter(({ type, field }) => type === renamed[0]?.type && field === renamed[0].field);
		const middle = Math.ceil(alike.length / 2);
		const without = (left: typeof alike): Document => {
			const out = new Set(left.map(({ at }) => at));
			return this.#with(this.#cut((_, at) => out.has(at)));
		};
		return alike.length < 2 ? undefined : [without(alike.slice(middle)), without(alike.slice(0, middle))];
	}

	/**
	 * The document without its optional fields, if it has any. One hidden thing makes its whole parent null
	 * (docs/protocol.md#hidden-things), so the caller retries without them.
	 */
	get without(): Document | undefined {
		if (this.#droppable.length > 0) {
			// Hidden things are rare.
			this.#without ??= this.#with(this.#cut((field) => this.#isDroppable(field)));
		}
		return this.#without;
	}

	/** Grants that only the optional fields need, such as `ACLS:RO`; empty if they need no extra grant. */
	get droppableGrants(): readonly string[] {
		return this.#droppable.flatMap(({ grant }) => grant ?? []);
	}

	/** True if a path of field names leads to an optional field, or into one. */
	isDroppable(path: readonly string[]): boolean {
		return this.#all().some((each) => this.#isDroppable(each) && each.path.every((name, at) => path[at] === name));
	}

	#isDroppable({ type, field }: TypeField): boolean {
		return this.#droppable.some((each) => each.type === type && each.field === field);
	}

	get #root(): string {
		return this.isMutation ? 'Mutation' : 'Query';
	}

	#all(): readonly FieldBelow[] {
		return [...fieldsBelow(this.#fields, this.#root, [])];
	}

	#cut(isLeftOut: (field: TypeField, at: Field) => boolean): readonly Field[] {
		return cut(this.#fields, this.#root, isLeftOut);
	}

	#with(fields: readonly Field[]): Document {
		return new Document(this.#kind, this.name, fields);
	}

	#textOf(fields: readonly Field[]): string {
		const declared = declarationsIn(fields, '');
		return `${this.#kind} ${this.name}${declared === '' ? '' : `(${declared})`}${printed(fields, '')}`;
	}
}

interface FieldBelow extends TypeField {
	/** Path in the response, by aliases. */
	readonly path: readonly string[];
	readonly at: Field;
}

/** All fields with the types that have them. */
function* fieldsBelow(
	fields: readonly Field[],
	type: string,
	around: readonly string[],
): Generator<FieldBelow, void, undefined> {
	for (const at of fields) {
		const path = at.key === undefined ? around : [...around, at.key];
		if (at.key !== undefined) {
			yield { type, field: at.name, path, at };
		}
		yield* fieldsBelow(at.fields, at.type, path);
	}
}

/** Removes fields, and fragments that are empty without them. */
function cut(
	fields: readonly Field[],
	type: string,
	isLeftOut: (field: TypeField, at: Field) => boolean,
): readonly Field[] {
	return fields.flatMap((at) => {
		if (at.key !== undefined && isLeftOut({ type, field: at.name }, at)) {
			return [];
		}
		const inside = cut(at.fields, at.type, isLeftOut);
		return at.key === undefined && inside.length === 0 ? [] : [{ ...at, fields: inside }];
	});
}

const variable = /\$(\w+) ([\w[\]!]+)/g;

/** Names only variables in use: servers reject an operation with others. */
function declarationsIn(fields: readonly Field[], prefix: string): string {
	const declared = Array.from(fieldsBelow(fields, '', [])).flatMap(({ at }) =>
		Array.from(at.given.matchAll(variable), ([, name, type]) => `$${prefix}${name}:${type}`),
	);
	return [...new Set(declared)].join(' ').replaceAll('! ', '!');
}

function printed(fields: readonly Field[], prefix: string): string {
	const all = fields.map(({ key, name, given, type, fields: inside }) => {
		const alias = key === undefined || key === name ? '' : `${key}:`;
		const values = given.replaceAll(variable, `$$${prefix}$1`);
		return `${alias}${name}${values}${type === '' ? '' : printed(inside, prefix)}`;
	});
	return `{${all.join(' ').replaceAll('} ', '}')}}`;
}
