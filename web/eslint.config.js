// Directions: app -> features -> shared.  Features ignore one another; packs see only shared.
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

const forbid = (...patterns) => [
  "error",
  { patterns: patterns.map(([group, message]) => ({ group, message })) },
];
const NO_APP = [
  ["@/app/*", "**/app/*"],
  "Only app/ composes: features and shared do not import it.",
];
const NO_FEATURES = [
  ["@/features/*", "@/features/**", "**/features/**"],
  "Shared code knows no feature; pass it in through a slot (shared/feature).",
];

export default ts.config(
  { ignores: ["node_modules", "src/shared/api/schema.d.ts", "dist"] },
  ...ts.configs.recommended,
  hooks.configs.flat["recommended-latest"],
  {
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "HTML from data is never inserted; draw it with elements.",
        },
      ],
    },
  },
  { files: ["src/shared/**"], rules: { "no-restricted-imports": forbid(NO_APP, NO_FEATURES) } },
  {
    files: ["src/features/**"],
    rules: {
      "no-restricted-imports": forbid(NO_APP, [
        ["@/features/*", "@/features/**", "../../*/**", "../../features/**"],
        "A feature does not import another one; use a slot (shared/feature) or move it to shared.",
      ]),
    },
  },
  {
    files: ["**/packs/*/ui/**"],
    rules: {
      "no-restricted-imports": forbid(
        [["@/app/**", "@/features/**"], "A pack's pages import only @/shared."],
        [["../../*"], "A pack's pages import only @/shared and their own folder."],
      ),
    },
  },
);
