/**
 * What executes GraphQL. The package has none: the reference implementation does it where tests and `npm start` run the
 * sample forge (docs/decisions/0025-graphql-in-the-sample-forge.md).
 */
export interface GraphqlEngine {
	/** Reads a schema; throws for one that is wrong. */
	open(schemaText: string): GraphqlSchema;
}

export interface GraphqlSchema {
	/** What is wrong with a document; nothing when it could be asked. */
	check(document: string): readonly AnswerError[];
	run(question: Question): Promise<Outcome>;
}

export interface Question {
	readonly document: string;
	readonly variables: Readonly<Record<string, unknown>>;
	readonly operationName: string | undefined;
	/** The value whose members are the fields of `Query`: values, or functions of the arguments. */
	readonly query: object;
	/** The same of `Mutation`, for one of its fields; `afterFailure`: another before it went wrong. */
	readonly mutation: (afterFailure: boolean) => object;
	/** Throws a `FieldError` where this field may not be read. */
	readonly guard: (needs: FieldNeeds) => void;
	/** Points that a document may cost: one for each field, lists count once. */
	readonly mostPoints: number;
}

/** What the directives at a field of the schema ask for. */
export interface FieldNeeds {
	readonly access: { readonly scope: string; readonly kind: 'RO' | 'RW' } | null;
	/** For personal tokens alone. */
	readonly personal: boolean;
}

export type Outcome =
	/** The document, a variable or the operation is wrong; nothing was done. */
	| { readonly kind: 'refused'; readonly errors: readonly AnswerError[] }
	| { readonly kind: 'answered'; readonly data: object | null; readonly errors: readonly AnswerError[] }
	/** The document holds a number at which the servers observed end. */
	| { readonly kind: 'ends' };

/** One entry of `errors`, written as it stands. */
export interface AnswerError {
	readonly message: string;
	readonly path?: readonly (string | number)[];
	readonly locations?: readonly { readonly line: number; readonly column: number }[];
	readonly extensions?: Extensions;
}

export type Extensions = Readonly<Record<string, string | readonly string[]>>;

/** Thrown by a resolver: the field is null, and the answer says why. */
export class FieldError extends Error {
	readonly extensions: Extensions;
	/** Some refusals of the servers observed do not say where (docs/protocol.md#graphql-errors). */
	readonly tellsPath: boolean;

	constructor(message: string, extensions: Extensions = {}, tellsPath = true) {
		super(message);
		this.extensions = extensions;
		this.tellsPath = tellsPath;
	}
}
