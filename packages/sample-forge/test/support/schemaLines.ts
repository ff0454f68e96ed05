import {
	getNamedType,
	isEnumType,
	isInputObjectType,
	isInterfaceType,
	isIntrospectionType,
	isObjectType,
	isSpecifiedScalarType,
	isUnionType,
	print,
	type GraphQLArgument,
	type GraphQLNamedType,
	type GraphQLSchema,
} from 'graphql';

/**
 * Lines of a schema, sorted: types, fields, arguments, enum values and union members. Without directives, because
 * introspection does not show those of fields.
 */
export function schemaLines(schema: GraphQLSchema): readonly string[] {
	return Object.values(schema.getTypeMap())
		.filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
		.flatMap(linesOf)
		.toSorted();
}

function linesOf(type: GraphQLNamedType): readonly string[] {
	const { name } = type;
	if (isEnumType(type)) {
		return type.getValues().map((word) => `enum ${name} ${word.name}`);
	}
	if (isUnionType(type)) {
		return type.getTypes().map((member) => `union ${name} ${member.name}`);
	}
	if (isInputObjectType(type)) {
		return Object.values(type.getFields()).map((field) => `input ${name}.${valued(field)}`);
	}
	if (isObjectType(type) || isInterfaceType(type)) {
		const kind = isObjectType(type) ? 'type' : 'interface';
		return [
			...type.getInterfaces().map((above) => `${kind} ${name} is ${above.name}`),
			...Object.values(type.getFields()).flatMap((field) => [
				`${kind} ${name}.${field.name}: ${String(field.type)}`,
				...field.args.map((argument) => `${kind} ${name}.${field.name}(${valued(argument)})`),
			]),
		];
	}
	return [`scalar ${getNamedType(type).name}`];
}

function valued({ name, type, default: usual }: Pick<GraphQLArgument, 'name' | 'type' | 'default'>): string {
	const written = usual?.literal ? ` = ${print(usual.literal)}` : '';
	return `${name}: ${String(type)}${written}`;
}
