/** Names of the placeholders of a template, such as `name` in `No {name} here`. */
export type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
